/** The index of the selected finding after an arrow key, among `count` findings. Without any, it is 0. */
export function moveSelection(selected: number, key: 'ArrowDown' | 'ArrowUp', count: number): number {
  return Math.max(0, Math.min(selected + (key === 'ArrowDown' ? 1 : -1), count - 1));
}
