const RETRIED = new Set([408, 429, 500, 502, 503, 504]);
const LONGEST_RETRY_AFTER_SECONDS = 60;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** How one try failed. */
export type Failure = { kind: 'no_answer' } | { kind: 'refused'; status: number; retryAfter: number | undefined };

/** The milliseconds to wait before the next try, or undefined if there is none. `tries` counts the tries so far. */
export function pauseBeforeRetry(failure: Failure, tries: number, retries: number, random = Math.random()) {
  if (tries > retries) return undefined;
  if (failure.kind === 'refused') {
    if (!RETRIED.has(failure.status)) return undefined;
    const { retryAfter } = failure;
    if (retryAfter !== undefined) return retryAfter <= LONGEST_RETRY_AFTER_SECONDS ? retryAfter * 1_000 : undefined;
  }
  return random * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
}

/** The seconds of a `Retry-After`, which is a number or a date. Undefined for any other text. */
export function readRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  // `Date.parse` turns almost every text with a number into a date of the past.
  const at = value.trim().endsWith(' GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
}

/** Waits. Rejects with the reason of the signal if it aborts first. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
