import type { Db } from '@posthorn/db/client';
import { isUnavailable, isWriteConflict } from '@posthorn/db/violations';
import { type Settled, type Settlement, settleDeliveries } from '@posthorn/ledger/settle';
import { createBatcher } from '@posthorn/runtime/batch';
import { errorFields, type Logger } from '@posthorn/runtime/logger';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

/**
 * Settles in batches and keeps every result through a Postgres outage, for as long as the process lives: what was
 * sent must be written down. A batch that Postgres refuses for another reason is settled one by one, so that one bad
 * row does not take its neighbours along; its own caller gets the error.
 */
export function createSettleWithRetry(db: Db, logger: Pick<Logger, 'warn'>): (item: Settlement) => Promise<Settled> {
  const settleOne = (item: Settlement): Promise<Settled | Error> =>
    settleUntilAnswered(db, logger, [item]).then(
      ([settled]) => settled ?? new Error('a settlement got no answer'),
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
  const batched = createBatcher<Settlement, Settled | Error>({
    async run(items) {
      try {
        return await settleUntilAnswered(db, logger, items);
      } catch (error) {
        logger.warn('a batch could not be settled whole, and is settled one by one', errorFields(error));
        return Promise.all(items.map(settleOne));
      }
    },
    maxItems: 100,
    maxInFlight: 2,
  });
  return async (item) => {
    const settled = await batched(item);
    if (settled instanceof Error) throw settled;
    return settled;
  };
}

async function settleUntilAnswered(db: Db, logger: Pick<Logger, 'warn'>, items: Settlement[]): Promise<Settled[]> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await settleDeliveries(db, items);
    } catch (error) {
      if (!isUnavailable(error) && !isWriteConflict(error)) throw error;
      logger.warn('results are kept until Postgres is back', { results: items.length, ...errorFields(error) });
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
