import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';

/** A link within the portal; a click on it does not open the row around it, too. */
export function PortalLink(props: { href: string; mono?: boolean; children: ReactNode }) {
  return (
    <Anchor
      inherit
      href={props.href}
      {...(props.mono && { className: 'mono' })}
      onClick={(event) => event.stopPropagation()}
    >
      {props.children}
    </Anchor>
  );
}
