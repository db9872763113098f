import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow by this percentage of its live objects before it is collected; 0 leaves it to V8, which lets garbage
 * grow to several times the live objects. `HEAP_GROWTH_PERCENT` sets it (docs/operating.md, Settings).
 */
export function limitHeapGrowth(percent: number): void {
  if (percent > 0) setFlagsFromString(`--heap-growing-percent=${percent}`);
}
