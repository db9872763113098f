import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, ConnectionError, RateLimitedError, TimeoutError, UnavailableError } from '@posthorn/client';

const PAUSES_MS = [0, 1_000, 2_000, 5_000];

/** Waits longer the more connections have failed in a row. */
export async function pauseBeforeReconnect(failures: number, signal: AbortSignal): Promise<void> {
  await pause(PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1], undefined, { signal });
}

/** Whether another try may succeed. */
export function isTransient(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError || error instanceof UnavailableError;
}

/** Whether the same request, which was answered before, may be answered later. */
export function mayBeAnswered(error: unknown): boolean {
  if (isTransient(error) || error instanceof RateLimitedError) return true;
  return error instanceof ApiError && (error.status >= 500 || error.code === 'unexpected_answer');
}
