import type { Db } from '@posthorn/db/client';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import type { Defer, Deferred } from '@posthorn/ledger/defer';
import { msSinceAsked } from '@posthorn/ledger/lease';
import { takeOffers } from '@posthorn/ledger/offer';
import type { DeliverRequest, HandOverJob, NewDeliveryIds } from '@posthorn/queue/jobs';
import type { LivePublisher } from '@posthorn/queue/live';
import type { Clock } from '@posthorn/runtime/clock';
import type { ImmediateAttempts } from '../fan-out/immediate-attempts.ts';

export type HandOverDeps = {
  db: Db;
  immediate: Pick<ImmediateAttempts, 'reserve' | 'awaitRoom'>;
  defer: (delivery: Defer & Pick<NewDeliveryIds, 'endpointId'>) => Promise<Deferred | undefined>;
  enqueue: (deliveries: DeliverRequest[]) => void;
  live: Pick<LivePublisher, 'deliveryChanged'>;
  clock: Pick<Clock, 'monotonicMs'>;
};

/** How long a job waits in total for free slots. After that, the deliveries without one become separate jobs. */
const AWAIT_ROOM_MS = 1_000;
/** With room for this many, a statement for a part of the deliveries is worth its cost. */
const FEW = 4;

/**
 * Attempts deliveries that were created on acceptance of their events (docs/adr/0021). Those that find a slot are
 * attempted under the lease in the job, or are claimed together. The others are released and become jobs, and admission
 * decides when each gets a slot.
 */
export function createTakeHandedOver(
  deps: HandOverDeps,
): (job: HandOverJob, known?: ReadonlyMap<string, ClaimedDelivery>) => Promise<void> {
  return async ({ deliveries, leaseToken }, known) => {
    const untilMs = deps.clock.monotonicMs() + AWAIT_ROOM_MS;
    let left: readonly NewDeliveryIds[] = deliveries;
    for (let leftMs = AWAIT_ROOM_MS; left.length > 0 && leftMs > 0; leftMs = untilMs - deps.clock.monotonicMs()) {
      await deps.immediate.awaitRoom(Math.min(left.length, FEW), leftMs);
      const others = await attemptSome(deps, left, { leaseToken, known });
      // The others wait for their endpoints, not for a slot of this process.
      if (others.length === left.length) break;
      left = others;
    }
    await leaveToJobs(deps, left, leaseToken);
  };
}

/** Attempts those that get a slot now, and returns the others. */
async function attemptSome(
  deps: HandOverDeps,
  deliveries: readonly NewDeliveryIds[],
  { leaseToken, known }: { leaseToken: string | undefined; known: ReadonlyMap<string, ClaimedDelivery> | undefined },
): Promise<NewDeliveryIds[]> {
  const reserved = await deps.immediate.reserve(deliveries, { mayDelay: false });
  try {
    const mine = deliveries.filter(({ deliveryId }) => reserved.has(deliveryId));
    const others = deliveries.filter(({ deliveryId }) => !reserved.has(deliveryId));
    if (leaseToken === undefined) {
      reserved.claim(mine);
      return others;
    }
    const fresh = mine.flatMap(({ deliveryId }) => freshly(known?.get(deliveryId), deps.clock));
    reserved.begin(fresh);
    const taken = new Set(fresh.map(({ deliveryId }) => deliveryId));
    const offers = await takeOffers(deps.db, {
      deliveries: mine.filter(({ deliveryId }) => !taken.has(deliveryId)),
      leaseToken,
    });
    reserved.begin(offers);
    for (const { deliveryId } of offers) taken.add(deliveryId);
    // A delivery whose offer ends soon is claimed like any other.
    const notTaken = mine.filter(({ deliveryId }) => !taken.has(deliveryId));
    await leaveToJobs(deps, notTaken, leaseToken);
    return others;
  } finally {
    reserved.release();
  }
}

/**
 * How long after its offer was requested a call's content can be used. After that it may have been erased or changed.
 */
const FRESH_MS = 100;

function freshly(claim: ClaimedDelivery | undefined, clock: Pick<Clock, 'monotonicMs'>): ClaimedDelivery[] {
  return claim !== undefined && msSinceAsked(claim, clock) < FRESH_MS ? [claim] : [];
}

/** A delivery that is due needs no statement. An offered delivery is released first. */
async function leaveToJobs(deps: HandOverDeps, deliveries: readonly NewDeliveryIds[], leaseToken: string | undefined) {
  if (leaseToken === undefined) {
    deps.enqueue(deliveries.map((delivery) => ({ ...delivery, generation: 0, delayMs: 0 })));
    return;
  }
  await Promise.all(deliveries.map((delivery) => release(deps, delivery, leaseToken)));
}

/** Makes the delivery due and gives it a job, unless somebody else has ended its offer. */
async function release({ defer, enqueue, live }: HandOverDeps, delivery: NewDeliveryIds, leaseToken: string) {
  const { deliveryId, endpointId } = delivery;
  const deferred = await defer({ deliveryId, endpointId, leaseToken, delaySeconds: 0 });
  if (deferred === undefined) return;
  live.deliveryChanged(delivery);
  enqueue([{ ...delivery, ...deferred, delayMs: 0 }]);
}
