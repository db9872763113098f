import { Drawer } from '@mantine/core';
import { type ReactNode, useCallback, useState } from 'react';
import { type HeldFor, HoldContext } from './hold-sheet.ts';

/** A panel at the side, for a look at details. The list behind it keeps its place. */
export function SideSheet(props: { opened: boolean; onClose: () => void; title: string; children: ReactNode }) {
  const [holds, setHolds] = useState<readonly { heldFor: HeldFor }[]>([]);
  const hold = useCallback((heldFor: HeldFor) => {
    const one = { heldFor };
    setHolds((before) => [...before, one]);
    return () => setHolds((before) => before.filter((other) => other !== one));
  }, []);
  const isFree = holds.length === 0;
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
      withCloseButton={!holds.some(({ heldFor }) => heldFor === 'secret')}
    >
      <HoldContext value={hold}>{props.children}</HoldContext>
    </Drawer>
  );
}
