import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';

/** The actions of a row; a click on them does not open the row. `of` names the row for screen readers. */
export function RowMenu({ of, children }: { of: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: it only keeps a click on the menu from opening the row.
    // biome-ignore lint/a11y/noStaticElementInteractions: the same.
    <span onClick={(event) => event.stopPropagation()}>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Actions of ${of}`}>
            ⋯
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>{children}</Menu.Dropdown>
      </Menu>
    </span>
  );
}
