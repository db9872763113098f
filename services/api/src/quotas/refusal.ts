import { ApiError } from '../transport/error.ts';
import type { Limits } from './limits.ts';
import type { Usage } from './usage.ts';

/** The limits of a workspace, as metrics name them. */
export type Quota = 'events_per_day' | 'bytes_kept' | 'attempt_bytes_kept';

const DAY_MS = 86_400_000;
/** Room appears when a day of the retention ends, or the operator raises the limit. */
const BYTES_RETRY_SECONDS = 3_600;

/** The limit that leaves no room for one more event with a payload of `bytes`; null when there is room. */
export function fullQuota(limits: Limits, usage: Usage, bytes: number): Quota | null {
  if (limits.eventsPerDay !== null && usage.eventsToday + 1 > limits.eventsPerDay) return 'events_per_day';
  if (limits.bytesKept !== null && bytes > 0 && usage.bytesKept + bytes > limits.bytesKept) return 'bytes_kept';
  // An event makes attempts of a size that nobody knows yet.
  if (limits.attemptBytesKept !== null && usage.attemptBytesKept >= limits.attemptBytesKept)
    return 'attempt_bytes_kept';
  return null;
}

/** The answer beyond a limit (docs/interface.md, Quotas): `Retry-After` leads to the next UTC day, or is an hour. */
export function refusalOf(quota: Quota, limits: Limits, now: Date): ApiError {
  if (quota === 'events_per_day') {
    const seconds = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000);
    const message = `This workspace may send ${limits.eventsPerDay} events a day (UTC)`;
    return new ApiError('rate_limited', message, { 'Retry-After': String(seconds) });
  }
  const message =
    quota === 'bytes_kept'
      ? `This workspace may keep ${limits.bytesKept} bytes of payloads; they are kept for the retention`
      : `This workspace may keep ${limits.attemptBytesKept} bytes of attempts; they are kept for the retention`;
  return new ApiError('rate_limited', message, { 'Retry-After': String(BYTES_RETRY_SECONDS) });
}
