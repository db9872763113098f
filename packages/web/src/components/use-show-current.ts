import { useEffect, useRef } from 'react';

/** For a row of tabs or links that may be wider than the window: the current one is scrolled into sight. */
export function useShowCurrent<Row extends HTMLElement>(current: string | undefined) {
  const row = useRef<Row>(null);
  // It runs again when another one becomes the current one.
  useEffect(() => {
    const element = row.current?.querySelector('[aria-current="page"], [aria-selected="true"]');
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return row;
}
