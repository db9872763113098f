import { useEffect, useRef } from 'react';
import classes from './scroll-row.module.css';

/**
 * For a row of tabs, links or choices that may be wider than the window: scrolls the current one into view, and fades
 * the row at edges behind which it goes on.
 */
export function useShowCurrent<Row extends HTMLElement>(current: string | undefined) {
  const row = useRef<Row>(null);
  // Runs again when another element becomes the current one.
  useEffect(() => {
    const element = row.current?.querySelector('[aria-current="page"], [aria-selected="true"], :checked + label');
    if (row.current === null || !element) return;
    const [own, whole] = [element.getBoundingClientRect(), row.current.getBoundingClientRect()];
    // Scrolls only the row, not the page: the row may be far down on its page.
    row.current.scrollLeft += Math.min(0, own.left - whole.left) + Math.max(0, own.right - whole.right);
  }, [current]);
  useEffect(() => (row.current === null || current === undefined ? undefined : markEdges(row.current)), [current]);
  return { ref: row, className: classes.row ?? '' };
}

/** Marks the edges behind which a row goes on, now and after each scroll or resize. */
function markEdges(row: HTMLElement): () => void {
  const mark = () => {
    row.toggleAttribute('data-more-before', row.scrollLeft > 1);
    row.toggleAttribute('data-more-after', row.scrollLeft + row.clientWidth < row.scrollWidth - 1);
  };
  const observer = new ResizeObserver(mark);
  observer.observe(row);
  row.addEventListener('scroll', mark, { passive: true });
  return () => {
    observer.disconnect();
    row.removeEventListener('scroll', mark);
  };
}
