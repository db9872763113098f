import type { Db } from '@posthorn/db/client';
import type { Defer, Deferred } from '@posthorn/ledger/defer';
import { takeOffers } from '@posthorn/ledger/offer';
import type { DeliverRequest, HandOverJob, NewDeliveryIds } from '@posthorn/queue/jobs';
import type { LivePublisher } from '@posthorn/queue/live';
import type { ImmediateAttempts } from '../fan-out/immediate-attempts.ts';

export type HandOverDeps = {
  db: Db;
  immediate: Pick<ImmediateAttempts, 'reserve' | 'awaitRoom'>;
  defer: (delivery: Defer & Pick<NewDeliveryIds, 'endpointId'>) => Promise<Deferred | undefined>;
  enqueue: (deliveries: DeliverRequest[]) => void;
  live: Pick<LivePublisher, 'deliveryChanged'>;
};

/** A job waits this long for free slots. Then the deliveries without one become jobs of their own. */
const AWAIT_ROOM_MS = 250;

/**
 * Attempts deliveries that were made where their events were accepted (docs/adr/0021). Those that find a slot are attempted
 * under the lease that the job carries, or are claimed together. The others are released, and become jobs: admission decides
 * when each gets a slot.
 */
export function createTakeHandedOver(deps: HandOverDeps): (job: HandOverJob) => Promise<void> {
  return async ({ deliveries, leaseToken }) => {
    await deps.immediate.awaitRoom(deliveries.length, AWAIT_ROOM_MS);
    const reserved = await deps.immediate.reserve(deliveries, { mayDelay: false });
    try {
      const mine = deliveries.filter(({ deliveryId }) => reserved.has(deliveryId));
      const others = deliveries.filter(({ deliveryId }) => !reserved.has(deliveryId));
      if (leaseToken === undefined) {
        reserved.claim(mine);
        deps.enqueue(others.map((delivery) => ({ ...delivery, generation: 0, delayMs: 0 })));
        return;
      }
      const offers = await takeOffers(deps.db, { deliveries: mine, leaseToken });
      reserved.begin(offers);
      const taken = new Set(offers.map(({ deliveryId }) => deliveryId));
      const left = [...others, ...mine.filter(({ deliveryId }) => !taken.has(deliveryId))];
      await Promise.all(left.map((delivery) => release(deps, delivery, leaseToken)));
    } finally {
      reserved.release();
    }
  };
}

/** The delivery is due, and gets a job, unless somebody else has ended its offer. */
async function release({ defer, enqueue, live }: HandOverDeps, delivery: NewDeliveryIds, leaseToken: string) {
  const { deliveryId, endpointId } = delivery;
  const deferred = await defer({ deliveryId, endpointId, leaseToken, delaySeconds: 0 });
  if (deferred === undefined) return;
  live.deliveryChanged(delivery);
  enqueue([{ ...delivery, ...deferred, delayMs: 0 }]);
}
