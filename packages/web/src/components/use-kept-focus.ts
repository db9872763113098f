import { type RefObject, useEffect, useRef } from 'react';

/** A dialog that deleted a row returns the focus this long after it has closed, at the latest. */
const DIALOG_CLOSES_MS = 500;

/**
 * Keeps the focus in a list when the row that had it is deleted. The row in its place gets the focus, else the last
 * row, else the list. Otherwise the focus would fall to the page, and the keyboard would start over at the top.
 */
export function useKeptFocus(list: RefObject<HTMLElement | null>, rows: readonly unknown[]) {
  const last = useRef<{ element: Element; index: number } | null>(null);
  const count = useRef(rows.length);
  useEffect(() => {
    const element = list.current;
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const row = target.closest('tr');
      last.current = row?.dataset.index === undefined ? null : { element: target, index: Number(row.dataset.index) };
    };
    element?.addEventListener('focusin', remember);
    return () => element?.removeEventListener('focusin', remember);
  }, [list]);
  useEffect(() => {
    const isFewer = rows.length < count.current;
    count.current = rows.length;
    if (!isFewer || last.current === null || last.current.element.isConnected) return undefined;
    const { index } = last.current;
    const keep = () => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) focusRow(list.current, index);
    };
    keep();
    const timer = setTimeout(keep, DIALOG_CLOSES_MS);
    return () => clearTimeout(timer);
  }, [list, rows]);
}

function focusRow(list: HTMLElement | null, index: number): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>('tr[data-index]') ?? [])];
  const row = rows.find(({ dataset }) => dataset.index === String(index)) ?? rows.at(-1);
  const control = row?.querySelector<HTMLElement>('button, a[href], input') ?? list;
  // A list without rows has no control to focus, so the list itself becomes focusable.
  if (control === list) list?.setAttribute('tabindex', '-1');
  control?.focus({ preventScroll: true });
}
