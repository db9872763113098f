import { setFlagsFromString } from 'node:v8';

/**
 * Starts a collection when the heap has grown by this percentage of its live objects. With 0, V8 decides: it lets
 * garbage grow to several times the live objects. `HEAP_GROWTH_PERCENT` sets it (docs/operating.md, Settings).
 */
export function limitHeapGrowth(percent: number): void {
  if (percent > 0) setFlagsFromString(`--heap-growing-percent=${percent}`);
}
