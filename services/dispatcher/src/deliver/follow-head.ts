import type { Db } from '@posthorn/db/client';
import { type Head, headsOf, type Order, toRequests } from '@posthorn/ledger/ordering';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import type { LivePublisher } from '@posthorn/queue/live';
import { createBatcher } from '@posthorn/runtime/batch';
import { errorFields, type Logger } from '@posthorn/runtime/logger';

type FollowDeps = {
  db: Db;
  /** Attempts or enqueues the deliveries. */
  take: (deliveries: DeliverRequest[]) => Promise<void>;
  hurryLine: (endpointId: string) => void;
  live: Pick<LivePublisher, 'deliveryChanged'>;
  logger: Pick<Logger, 'warn'>;
};

/**
 * Continues an order: attempts or enqueues the head that was released by the end of the earlier head, or the present
 * head of the given order. So the process that ended a head continues with its key while it has slots. It never throws.
 * A delivery that is not enqueued is due, and waits for the reconciler.
 */
export type FollowHead = (next: Head | Order) => void;

export function createFollowHead({ db, take, hurryLine, live, logger }: FollowDeps): FollowHead {
  const follow = createBatcher<Head | Order, void>({
    async run(given) {
      const orders = given.filter((one) => !isHead(one));
      const heads = await headsOf(db, orders);
      // At an inactive endpoint whose deliveries consumers fetch, the next head gets its job in the next turn of its line.
      for (const { endpointId, releasedGeneration } of heads) if (releasedGeneration === null) hurryLine(endpointId);
      const released = toRequests([...given.filter(isHead), ...heads]);
      for (const one of released) live.deliveryChanged(one);
      await take(released);
      return given.map(() => undefined);
    },
    maxItems: 100,
    maxInFlight: 2,
  });
  return (next) => {
    follow(next).catch((error: unknown) =>
      logger.warn('deliveries that follow others wait for the reconciler', errorFields(error)),
    );
  };
}

function isHead(given: Head | Order): given is Head {
  return 'deliveryId' in given;
}
