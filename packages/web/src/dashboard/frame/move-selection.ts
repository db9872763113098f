/** The selected one of so many findings after an arrow key. While there are none, the first that comes stays selected. */
export function moveSelection(selected: number, key: 'ArrowDown' | 'ArrowUp', count: number): number {
  return Math.max(0, Math.min(selected + (key === 'ArrowDown' ? 1 : -1), count - 1));
}
