import type { ReactNode } from 'react';
import classes from '../components/row-link.module.css';

/** A link within the portal, to a fragment of the address. It is a plain element, because rows of lists have it. */
export function PortalLink({ href, mono = false, children }: { href: string; mono?: boolean; children: ReactNode }) {
  return (
    <a href={href} className={mono ? `${classes.link} mono` : classes.link}>
      {children}
    </a>
  );
}
