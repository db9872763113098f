import type { Db } from '@posthorn/db/client';
import { faultCode, isHopeless, isUnavailable } from '@posthorn/db/violations';
import { eraseLate } from '@posthorn/ledger/erase';
import { type GatheredSuccesses, writeGathered } from '@posthorn/ledger/gathered-successes';
import { type Settled, type Settlement, settleDeliveries } from '@posthorn/ledger/settle';
import { createBatcher } from '@posthorn/runtime/batch';
import { type Clock, systemClock } from '@posthorn/runtime/clock';
import { resultWithin } from '@posthorn/runtime/deadline';
import { toError } from '@posthorn/runtime/describe-error';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { TIMING, type Timing } from '../timing.ts';
import { createOutage, type Outage } from './outage.ts';

type SettleTiming = Pick<Timing, 'settleTryMs' | 'settleFirstWaitMs' | 'settleLongestWaitMs' | 'settleGatherMs'>;

/**
 * Settles in batches. It keeps every result for as long as the process lives, because an attempt that was made must be
 * recorded. If a batch can never succeed, its results are settled one by one, so that a bad row does not make the
 * others fail, and only its own caller gets the error. While it keeps results because Postgres is away, the process
 * takes over no lease (`outage.ts`).
 */
export function createSettleWithRetry(
  db: Db,
  logger: Pick<Logger, 'warn'>,
  timing: SettleTiming = TIMING,
  clock: Pick<Clock, 'now'> = systemClock,
  outage: Pick<Outage, 'keepResults'> = createOutage(systemClock),
): (item: Settlement) => Promise<Settled> {
  const settleAll = createRepeatedSettle(db, logger, { ...timing, clock, outage });
  const settleOne = (item: Settlement): Promise<Settled | Error> =>
    settleAll([item]).then(([settled]) => settled ?? new Error('a settlement got no answer'), toError);
  const batched = createBatcher<Settlement, Settled | Error>({
    async run(items) {
      try {
        return await settleAll(items);
      } catch (error) {
        logger.warn('a batch could not be settled as a whole; its results are settled one by one', errorFields(error));
        return Promise.all(items.map(settleOne));
      }
    },
    maxItems: 100,
    maxInFlight: 2,
    deadlineMs: Number.POSITIVE_INFINITY,
  });
  return async (item) => {
    const settled = await batched(item);
    if (settled instanceof Error) throw settled;
    return settled;
  };
}

type RepeatedTiming = SettleTiming & { clock: Pick<Clock, 'now'>; outage: Pick<Outage, 'keepResults'> };

/**
 * Repeats a settle until it succeeds or can never succeed. Successes that change no breaker are gathered, and written
 * once a second.
 */
function createRepeatedSettle(db: Db, logger: Pick<Logger, 'warn'>, timing: RepeatedTiming) {
  const gathered: GatheredSuccesses = new Map();
  let writing: NodeJS.Timeout | undefined;
  const writeSoon = () => {
    if (gathered.size === 0 || writing !== undefined) return;
    writing = setTimeout(async () => {
      await writeGathered(db, gathered).catch((error: unknown) =>
        logger.warn('the breaker did not count the successes of one second', errorFields(error)),
      );
      writing = undefined;
      writeSoon();
    }, timing.settleGatherMs);
    writing.unref();
  };
  const repeat = async (items: Settlement[], onKept: () => void): Promise<Settled[]> => {
    for (let waitMs = timing.settleFirstWaitMs; ; waitMs = Math.min(2 * waitMs, timing.settleLongestWaitMs)) {
      try {
        const settled = await resultWithin(settleDeliveries(db, items, gathered), timing.settleTryMs);
        writeSoon();
        const late = items.filter((item) => isLate(item, timing.clock)).map(({ deliveryId }) => deliveryId);
        if (late.length > 0) await resultWithin(eraseLate(db, late), timing.settleTryMs);
        return settled;
      } catch (error) {
        if (isHopeless(error)) throw error;
        if (saysPostgresIsAway(error)) onKept();
        logger.warn('results could not be settled; they are kept and tried again', {
          results: items.length,
          ...errorFields(error),
        });
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  };
  return async (items: Settlement[]): Promise<Settled[]> => {
    let written: (() => void) | undefined;
    const onKept = () => {
      written ??= timing.outage.keepResults();
    };
    try {
      return await repeat(items, onKept);
    } finally {
      written?.();
    }
  };
}

/** If Postgres answers with another fault, it is about these results alone, and may persist forever. */
function saysPostgresIsAway(error: unknown): boolean {
  return isUnavailable(error) || !SQLSTATE.test(faultCode(error));
}

const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * The age from which a result counts as late. What attempts store after an erasure is erased two minutes after it, but
 * a result that was kept through an outage may come later than that.
 */
const LATE_MS = 30_000;

/** Uses the later clock: the host's clock may be behind, and the other one stands still while the host is suspended. */
function isLate({ attempt }: Settlement, clock: Pick<Clock, 'now'>): boolean {
  const nowMs = Math.max(clock.now().getTime(), systemClock.now().getTime());
  return attempt !== null && nowMs - attempt.startedAt.getTime() - attempt.durationMs > LATE_MS;
}
