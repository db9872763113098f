import type { Clock } from './clock.ts';

export type AgedCacheOptions<Key, Value> = {
  clock: Clock;
  /** The oldest answer ever given, counted from when its load began. */
  maxAgeMs: number;
  maxEntries: number;
  /** Fetches the value; undefined (nothing found) is answered but never kept. */
  load: (key: Key) => Promise<Value | undefined>;
};

/**
 * A cache whose answers are never older than `maxAgeMs`. Callers of one key share one load. Only what was found is
 * kept: a thing that has just come into being is seen at once, and one that has gone within the age.
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
