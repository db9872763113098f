import type { Db } from '@posthorn/db/client';
import { toError } from '@posthorn/runtime/describe-error';
import { type Repeating, repeat } from '@posthorn/runtime/repeat';

const EVERY_MS = 60_000;

/**
 * Once a minute, deletes ended rows of limits, places and probes. Processes that sweep at the same time skip each
 * other's rows.
 */
export function startSweeping(db: Db, onError: (error: Error) => void): Repeating {
  return repeat({
    async round() {
      await db.$executeRaw`select sweep_limits()`;
      return EVERY_MS;
    },
    waitAfterErrorMs: EVERY_MS,
    onError: (error) => onError(toError(error)),
  });
}
