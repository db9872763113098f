import type { Db } from '@posthorn/db/client';
import { createReleaseEndedOrders, type Order, releaseHeadless } from '@posthorn/ledger/ordering';
import type { LivePublisher } from '@posthorn/queue/live';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { repeat } from '@posthorn/runtime/repeat';

import type { Watch } from '../watch.ts';

type OrdersDeps = {
  db: Db;
  live: Pick<LivePublisher, 'deliveryChanged'>;
  watch: Watch;
  lifecycle: Pick<Lifecycle, 'onStop'>;
  logger: Pick<Logger, 'warn'>;
};

const EVERY_MS = 1_000;
/** The pause between two pages of waiting deliveries, so that a release does not slow down other deliveries. */
const NEXT_PAGE_MS = 100;
const HEADLESS_EVERY_MS = 30_000;

/**
 * Starts two kinds of rounds. One releases the waiting deliveries of endpoints that are no longer fifo. The other
 * searches for orders without a head. The triggers leave no such order, so a round that finds one reports it.
 */
export function startOrders({ db, live, watch, lifecycle, logger }: OrdersDeps): void {
  const onError = (error: unknown) => logger.warn('a round over ordered deliveries failed', errorFields(error));
  const releaseEndedOrders = createReleaseEndedOrders(db, (released) => {
    for (const delivery of released) live.deliveryChanged(delivery);
  });
  const ended = watch.repeat('endedOrders', {
    round: async () => ((await releaseEndedOrders()) ? NEXT_PAGE_MS : EVERY_MS),
    waitAfterErrorMs: HEADLESS_EVERY_MS,
    onError,
  });
  let after: Order | undefined;
  const headless = repeat({
    async round() {
      const { released, next } = await releaseHeadless(db, after);
      after = next;
      if (released > 0)
        logger.warn('ordered deliveries waited without a head; the first of each ordering key was released', {
          released,
        });
      return next === undefined ? HEADLESS_EVERY_MS : EVERY_MS;
    },
    waitAfterErrorMs: HEADLESS_EVERY_MS,
    onError,
  });
  lifecycle.onStop('ended orders', () => ended.stop());
  lifecycle.onStop('orders without a head', () => headless.stop());
}
