import { Drawer } from '@mantine/core';
import { type ReactNode, useCallback, useState } from 'react';
import { HoldContext } from './hold-sheet.ts';

/** For what one looks into and comes back from: the list stays where it was. */
export function SideSheet(props: { opened: boolean; onClose: () => void; title: string; children: ReactNode }) {
  const [holds, setHolds] = useState(0);
  const hold = useCallback(() => {
    setHolds((before) => before + 1);
    return () => setHolds((before) => before - 1);
  }, []);
  const isFree = holds === 0;
  return (
    <Drawer
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      position="right"
      size={520}
      overlayProps={{ backgroundOpacity: 0.2 }}
      closeOnEscape={isFree}
      closeOnClickOutside={isFree}
      withCloseButton={isFree}
    >
      <HoldContext value={hold}>{props.children}</HoldContext>
    </Drawer>
  );
}
