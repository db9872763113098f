import type { MouseEvent, ReactNode } from 'react';
import classes from './row-link.module.css';

type Props = {
  href: string;
  /** The full text, if it may be cut off. */
  title?: string;
  isMono?: boolean;
  children: ReactNode;
};

/**
 * The link from a row to its page. A click opens the row. With a modifier key, the browser opens a tab or a window. It
 * is a plain element, because the router's links cost more than all other cells of a row.
 */
export function RowLink({ href, title, isMono = false, children }: Props) {
  return (
    <a
      href={href}
      title={title}
      aria-label={title}
      className={isMono ? `${classes.link} mono` : classes.link}
      data-row-link
    >
      {children}
    </a>
  );
}

/**
 * The index of the row that a click opens. Undefined for a click on a control in the row, or one that the browser
 * handles.
 */
export function rowOfClick(event: MouseEvent<HTMLElement>): number | undefined {
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!isPlain || event.defaultPrevented || !(event.target instanceof Element)) return undefined;
  const control = event.target.closest('a, button, input, label, select, textarea, [role="switch"]');
  if (control !== null && !control.hasAttribute('data-row-link')) return undefined;
  const index = event.target.closest('tr')?.dataset.index;
  if (index === undefined) return undefined;
  // The application navigates to the link's page itself, without a page load.
  event.preventDefault();
  return Number(index);
}
