import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';

/** For what one looks into and comes back from: the list stays where it was. */
export function SideSheet(props: { opened: boolean; onClose: () => void; title: string; children: ReactNode }) {
  return (
    <Drawer
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      position="right"
      size={520}
      overlayProps={{ backgroundOpacity: 0.2 }}
    >
      {props.children}
    </Drawer>
  );
}
