const one = () => 1;

/**
 * The options of an LRU cache that keeps so many entries. With `max` the cache would allocate the room for all of them when it is
 * made: 28 bytes for each, in a process that mostly keeps a few.
 */
export function atMost(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: one };
}
