import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionError, TimeoutError, UnavailableError } from '@posthorn/client';

const PAUSES_MS = [0, 1_000, 2_000, 5_000];

/** Waits the longer, the more connections have failed in a row. */
export async function pauseBeforeReconnect(failures: number, signal: AbortSignal): Promise<void> {
  await pause(PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1], undefined, { signal });
}

/** Whether a later try can succeed. */
export function isTransient(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError || error instanceof UnavailableError;
}
