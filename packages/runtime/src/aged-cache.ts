import type { Clock } from './clock.ts';

export type AgedCacheOptions<Key, Value> = {
  clock: Clock;
  /** The greatest age of a returned value, measured from the start of its load. */
  maxAgeMs: number;
  maxEntries: number;
  /** Loads the value. Undefined (not found) is returned but never cached. */
  load: (key: Key) => Promise<Value | undefined>;
};

/**
 * A cache whose values are never older than `maxAgeMs`. Concurrent callers of one key share one load. A missing value
 * is not cached, so a new value is visible at once. A deleted value is returned until its age ends at the latest.
 */
export function createAgedCache<Key, Value>(options: AgedCacheOptions<Key, Value>) {
  const { clock, maxAgeMs, maxEntries, load } = options;
  const entries = new Map<Key, { value: Promise<Value | undefined>; loadedAt: number }>();

  return (key: Key): Promise<Value | undefined> => {
    const loadedAt = clock.monotonicMs();
    const known = entries.get(key);
    if (known !== undefined && loadedAt - known.loadedAt < maxAgeMs) return known.value;
    const value = load(key);
    const entry = { value, loadedAt };
    const forget = () => {
      if (entries.get(key) === entry) entries.delete(key);
    };
    value.then((found) => found === undefined && forget(), forget);
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > maxEntries) dropOldest(entries);
    return value;
  };
}

function dropOldest(entries: Map<unknown, unknown>): void {
  for (const key of entries.keys()) {
    entries.delete(key);
    return;
  }
}
