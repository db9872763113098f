import type { Db } from '@posthorn/db/client';
import { type Head, headsOf, type Order } from '@posthorn/ledger/ordering';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import type { LivePublisher } from '@posthorn/queue/live';
import { createBatcher } from '@posthorn/runtime/batch';
import { errorFields, type Logger } from '@posthorn/runtime/logger';

type FollowDeps = {
  db: Db;
  /** Attempts some of the deliveries at once, and returns the others. */
  take: (deliveries: DeliverRequest[]) => Promise<DeliverRequest[]>;
  enqueue: (deliveries: DeliverRequest[]) => void;
  live: Pick<LivePublisher, 'deliveryChanged'>;
  logger: Pick<Logger, 'warn'>;
};

/**
 * Attempts or enqueues the deliveries that the ends of heads have released, in batches: the process that ended a head
 * goes on with its key while it has slots. It never rejects: what is not enqueued is due, and waits for the reconciler.
 */
export function createFollowHead({ db, take, enqueue, live, logger }: FollowDeps): (order: Order) => void {
  const next = createBatcher<Order, void>({
    async run(orders) {
      const due = (await headsOf(db, orders)).filter((head) => head.isDue);
      for (const head of due) live.deliveryChanged(head);
      enqueue(await take(due.map(toRequest)));
      return orders.map(() => undefined);
    },
    maxItems: 100,
    maxInFlight: 2,
  });
  return (order) => {
    next(order).catch((error: unknown) =>
      logger.warn('deliveries that follow others wait for the reconciler', errorFields(error)),
    );
  };
}

function toRequest({ deliveryId, eventId, endpointId, workspaceId, generation }: Head): DeliverRequest {
  return { deliveryId, eventId, endpointId, workspaceId, generation, delayMs: 0 };
}
