import type { ReactNode } from 'react';
import classes from '../components/row-link.module.css';

type Props = {
  href: string;
  mono?: boolean;
  /** The full text, if it may be cut off. */
  title?: string;
  children: ReactNode;
};

/** A link within the portal, to a fragment of the address. It is a plain element, because rows of lists use it. */
export function PortalLink({ href, mono = false, title, children }: Props) {
  return (
    <a href={href} title={title} aria-label={title} className={mono ? `${classes.link} mono` : classes.link}>
      {children}
    </a>
  );
}
