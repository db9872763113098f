import type { MouseEvent, ReactNode } from 'react';
import classes from './row-link.module.css';

type Props = {
  href: string;
  /** The whole of a text that may be cut off. */
  title?: string;
  isMono?: boolean;
  children: ReactNode;
};

/**
 * The link of a row to its page. A click on it opens the row; with a key held down, the browser opens a tab or a window.
 * It is a plain element, because the router's links cost more than all other cells of a row.
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
 * The index of the row that a click opens. Undefined for a click that is meant for a control in the row, or that the
 * browser handles.
 */
export function rowOfClick(event: MouseEvent<HTMLElement>): number | undefined {
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!isPlain || event.defaultPrevented || !(event.target instanceof Element)) return undefined;
  const control = event.target.closest('a, button, input, label, select, textarea, [role="switch"]');
  if (control !== null && !control.hasAttribute('data-row-link')) return undefined;
  const index = event.target.closest('tr')?.dataset.index;
  if (index === undefined) return undefined;
  // The application goes to the page of the link itself, without loading it anew.
  event.preventDefault();
  return Number(index);
}
