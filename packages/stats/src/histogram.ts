/**
 * Counts of durations in buckets that grow by a constant factor. A quantile has a relative error of at most
 * 5 % (docs/interface.md, Statistics), for durations from 1 ms to 108 days. A shorter one counts as 0.5 ms.
 */
export type Histogram = Map<number, number>;

/** The relative error of a bucket's middle. The rest of the 5 % is for rounding to thousandths of a millisecond. */
const BUCKET_ERROR = 0.045;
const GROWTH = (1 + BUCKET_ERROR) / (1 - BUCKET_ERROR);
const LOG_GROWTH = Math.log(GROWTH);
/** A bucket's number fits into the lowest 8 bits of a stored entry. */
const BUCKETS = 256;

export function addTo(histogram: Histogram, durationMs: number): void {
  const bucket = bucketOf(durationMs);
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
}

export function mergeInto(histogram: Histogram, other: Histogram): void {
  for (const [bucket, count] of other) histogram.set(bucket, (histogram.get(bucket) ?? 0) + count);
}

/** The stored form: an entry for each bucket with a count, `count * 256 + bucket`. The statement in `write` merges it. */
export function toEntries(histogram: Histogram): number[] {
  return Array.from(histogram, ([bucket, count]) => count * BUCKETS + bucket);
}

/** Reads entries of any number of stored histograms, in any order. */
export function fromEntries(entries: Iterable<number>): Histogram {
  const histogram: Histogram = new Map();
  for (const entry of entries) {
    const bucket = entry % BUCKETS;
    histogram.set(bucket, (histogram.get(bucket) ?? 0) + (entry - bucket) / BUCKETS);
  }
  return histogram;
}

/**
 * The durations (in milliseconds) below which these shares of all durations lie; null where nothing was counted. The
 * share `q` of `n` durations is the duration of rank `ceil(q * n)`.
 */
export function quantiles(histogram: Histogram, shares: readonly number[]): (number | null)[] {
  const buckets = [...histogram].sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  return shares.map((share) => {
    let left = Math.max(1, Math.ceil(share * total));
    for (const [bucket, count] of buckets) {
      left -= count;
      if (left <= 0) return middleOf(bucket);
    }
    return null;
  });
}

function bucketOf(durationMs: number): number {
  if (!(durationMs >= 1)) return 0;
  return Math.min(BUCKETS - 1, 1 + Math.floor(Math.log(durationMs) / LOG_GROWTH));
}

/** Bucket n > 0 holds durations from GROWTH^(n-1) to GROWTH^n. */
function middleOf(bucket: number): number {
  if (bucket === 0) return 0.5;
  return Math.round(1_000 * ((2 * GROWTH ** bucket) / (GROWTH + 1))) / 1_000;
}
