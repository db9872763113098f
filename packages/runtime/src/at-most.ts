const one = () => 1;

/**
 * The options of an LRU cache of at most this many entries. With `max` instead, the cache would allocate room for all
 * of them at the start: 28 bytes each, in a process that mostly keeps a few.
 */
export function atMost(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: one };
}
