import { useHotkeys } from '@mantine/hooks';
import { useState } from 'react';
import { isDialogOpen } from './is-dialog-open.ts';

/** `j` and `k` move through the rows of a list, Enter opens. Returns the row that was reached, -1 before the first. */
export function useRowKeys(list: {
  count: number;
  onMove: (index: number) => void;
  onOpen: (index: number) => void;
}): number {
  const [active, setActive] = useState(-1);
  const move = (by: number) => {
    if (list.count === 0) return;
    const next = Math.min(Math.max(active + by, 0), list.count - 1);
    setActive(next);
    list.onMove(next);
  };
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['Enter', () => isOnPage() && !isDialogOpen() && active >= 0 && list.onOpen(active), { preventDefault: false }],
  ]);
  return active;
}

/** Enter on a link or a button is theirs. */
function isOnPage(): boolean {
  return document.activeElement === document.body || document.activeElement === null;
}
