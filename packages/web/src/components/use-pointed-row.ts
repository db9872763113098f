import { type PointerEvent, useEffect, useRef } from 'react';

const REST_MS = 80;

/** Calls `onPoint` with the index of a row on which the mouse rests. Returns the listeners of the rows' parent. */
export function usePointedRow(onPoint: ((index: number) => void) | undefined) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (onPoint === undefined) return {};
  return {
    onPointerOver: ({ target, pointerType }: PointerEvent) => {
      clearTimeout(timer.current);
      const index = target instanceof Element ? target.closest('tr')?.dataset.index : undefined;
      if (index !== undefined && pointerType === 'mouse') timer.current = setTimeout(onPoint, REST_MS, Number(index));
    },
    onPointerLeave: () => clearTimeout(timer.current),
  };
}
