import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import type { NewDelivery } from '@posthorn/ledger/create';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { KEPT_FOR_JOBS, type Slots, type TakenSlot } from '../admission/slots.ts';
import type { Deliver } from '../deliver/deliver.ts';
import { type EndpointCache, isLimited } from '../deliver/endpoint-cache.ts';
import type { AttemptTrace, StartAttemptTrace } from '../deliver/tracing.ts';
import type { DispatcherMetrics } from '../metrics.ts';

export type ImmediateAttemptsDeps = {
  slots: Pick<Slots, 'free' | 'freed' | 'refusalOfSlow' | 'tryTake' | 'takeInTurn'>;
  clock: Pick<Clock, 'monotonicMs'>;
  endpoints: Pick<EndpointCache, 'limitsOf'>;
  deliver: Pick<Deliver, 'attempt' | 'claimAndAttempt'>;
  enqueue: (deliveries: DeliverRequest[]) => void;
  startTrace: StartAttemptTrace;
  logger: Pick<Logger, 'warn'>;
  metrics: Pick<DispatcherMetrics, 'deferred'>;
  /** The number of all slots of this process. */
  slotCount: number;
  shutdown: { draining: boolean };
};

/** Attempts deliveries in the process that creates them, without a job or a separate claim (docs/adr/0008). */
export type ImmediateAttempts = {
  /** The number of attempts that could begin now. */
  room(): number;
  /**
   * Resolves once there is room for some attempts, or after the time. At full load, to wait for a slot costs less than
   * a job and a claim, and deliveries that already have jobs are attempted first.
   */
  awaitRoom(withinMs: number): Promise<void>;
  /**
   * Takes slots for some of the deliveries that are about to be inserted. The caller enqueues the others. With
   * `mayDelay`, a delivery of a slow endpoint gets a delay. An ordered delivery may have none.
   */
  reserve(deliveries: readonly NewDelivery[], options: { mayDelay: boolean }): Promise<Reservation>;
  /**
   * Claims and attempts due deliveries as slots become free for them. A delivery becomes a job if there is no room to
   * wait, or if its endpoint has limits. A delivery that waits for over a second also gets a job, from the reconciler.
   * It never throws.
   */
  take(deliveries: readonly DeliverRequest[]): Promise<void>;
  /** Resolves once the attempts under way have ended. */
  drain(): Promise<void>;
};

export type Reservation = {
  has(deliveryId: string): boolean;
  /**
   * The delay in seconds of a delivery whose endpoint is slow and has no free slot here; 0 for all others. Its job
   * would only be refused, and deferred by another statement.
   */
  delaySeconds(deliveryId: string): number;
  /** Begins the attempts of the claimed deliveries, and releases the slots of the others. */
  begin(claimed: readonly ClaimedDelivery[]): void;
};

type SlotOf = Pick<NewDelivery, 'deliveryId' | 'endpointId' | 'workspaceId'>;
type Held = { slot: TakenSlot; endpointRevision: string };

/** One batch takes at most half of the other free slots, so that all dispatchers share the work. */
const SHARE_OF_BATCH = 1 / 2;
/** With room for this share of the slots, a separate statement is worth its cost. */
const MIN_ROOM_SHARE = 1 / 16;
/** So many due deliveries for each slot may wait in this process: about half a second at full load. */
const WAITING_FOR_A_SLOT = 2;

/** Deliveries of endpoints with shared limits, and those without a free slot, are left to jobs and admission. */
export function createImmediateAttempts(deps: ImmediateAttemptsDeps): ImmediateAttempts {
  const { slots, clock, endpoints, slotCount, shutdown } = deps;
  const underWay = new Set<Promise<void>>();
  const keep = (attempted: Promise<void>) => {
    const ended = attempted.finally(() => underWay.delete(ended));
    underWay.add(ended);
  };
  const begin = (claim: ClaimedDelivery, { slot, endpointRevision }: Held, traceOf: TraceOf) =>
    keep(attempt(deps, claim, { slot, endpointRevision, trace: traceOf(claim) }));
  const free = () => (shutdown.draining ? 0 : Math.max(0, slots.free() - slotCount * KEPT_FOR_JOBS));
  const room = () => Math.floor(free() * SHARE_OF_BATCH);
  /** Takes the slots that deliveries get now. They are returned by the deliveries' ids. */
  const hold = async (deliveries: readonly SlotOf[]): Promise<Map<string, Held>> => {
    const held = new Map<string, Held>();
    const budget = room();
    if (budget === 0) return held;
    const revisions = await unlimitedRevisions(endpoints, deliveries.slice(0, 2 * budget));
    for (const { deliveryId, endpointId, workspaceId } of deliveries) {
      if (held.size >= budget) break;
      const endpointRevision = revisions.get(endpointId);
      if (endpointRevision === undefined) continue;
      const slot = slots.tryTake({ endpointId, workspaceId, maxConcurrency: null });
      if (slot !== undefined) held.set(deliveryId, { slot, endpointRevision });
    }
    return held;
  };
  let waiting = 0;
  const attemptInTurn = async (delivery: DeliverRequest, endpointRevision: string) => {
    const { endpointId, workspaceId } = delivery;
    waiting += 1;
    const slot = await slots.takeInTurn({ endpointId, workspaceId, maxConcurrency: null });
    waiting -= 1;
    if (slot !== undefined && !shutdown.draining) return claimAndAttempt(deps, delivery, { slot, endpointRevision });
    slot?.release();
    deps.enqueue([delivery]);
  };
  return {
    room,
    async awaitRoom(withinMs) {
      const untilMs = clock.monotonicMs() + withinMs;
      for (let leftMs = withinMs; leftMs > 0; leftMs = untilMs - clock.monotonicMs()) {
        if (shutdown.draining || room() >= Math.floor(slotCount * MIN_ROOM_SHARE)) return;
        await slots.freed(leftMs);
      }
    },
    async reserve(deliveries, { mayDelay }) {
      const held = await hold(deliveries);
      const others = deliveries.filter(({ deliveryId }) => mayDelay && !held.has(deliveryId));
      const delays = delaysOfSlow(deps, others);
      const traceOf = deps.startTrace();
      return {
        has: (deliveryId) => held.has(deliveryId),
        delaySeconds: (deliveryId) => delays.get(deliveryId) ?? 0,
        begin(claimed) {
          for (const claim of claimed) {
            const mine = held.get(claim.deliveryId);
            if (mine === undefined) continue;
            held.delete(claim.deliveryId);
            begin(claim, mine, traceOf);
          }
          for (const { slot } of held.values()) slot.release();
          held.clear();
        },
      };
    },
    async take(deliveries) {
      // While endpoints cannot be read, all deliveries become jobs.
      const revisions = await unlimitedRevisions(endpoints, deliveries).catch(() => new Map<string, string>());
      const jobs = deliveries.filter((delivery) => {
        const endpointRevision = revisions.get(delivery.endpointId);
        if (endpointRevision === undefined || shutdown.draining || waiting >= slotCount * WAITING_FOR_A_SLOT)
          return true;
        keep(attemptInTurn(delivery, endpointRevision));
        return false;
      });
      deps.enqueue(jobs);
    },
    async drain() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

function delaysOfSlow({ slots, metrics }: ImmediateAttemptsDeps, deliveries: readonly SlotOf[]): Map<string, number> {
  const delays = new Map<string, number>();
  for (const { deliveryId, endpointId, workspaceId } of deliveries) {
    const refused = slots.refusalOfSlow({ endpointId, workspaceId, maxConcurrency: null });
    if (refused === undefined) continue;
    metrics.deferred.inc({ reason: refused.reason });
    delays.set(deliveryId, refused.delaySeconds);
  }
  return delays;
}

/** The revisions of those endpoints that have no limits of their own. */
async function unlimitedRevisions(
  endpoints: Pick<EndpointCache, 'limitsOf'>,
  deliveries: readonly SlotOf[],
): Promise<Map<string, string>> {
  const endpointIds = [...new Set(deliveries.map((delivery) => delivery.endpointId))];
  const targets = await Promise.all(endpointIds.map((endpointId) => endpoints.limitsOf(endpointId)));
  const revisions = new Map<string, string>();
  for (const target of targets) {
    if (target !== undefined && !isLimited(target)) revisions.set(target.endpointId, target.revision);
  }
  return revisions;
}

type TraceOf = ReturnType<StartAttemptTrace>;

async function attempt(
  { deliver, logger }: ImmediateAttemptsDeps,
  claim: ClaimedDelivery,
  { slot, endpointRevision, trace }: Held & { trace: AttemptTrace },
): Promise<void> {
  const { deliveryId, eventId, endpointId, workspaceId } = claim;
  const job = { deliveryId, eventId, endpointId, workspaceId };
  try {
    slot.release(await deliver.attempt(claim, { job, admitted: { endpointRevision }, trace }));
  } catch (error) {
    slot.release();
    logger.warn('an attempt failed by a fault of the service; its lease will expire', errorFields(error));
  }
}

async function claimAndAttempt(
  { deliver, logger }: ImmediateAttemptsDeps,
  { deliveryId, eventId, endpointId, workspaceId }: DeliverRequest,
  { slot, endpointRevision }: Held,
): Promise<void> {
  try {
    slot.release(await deliver.claimAndAttempt({ deliveryId, eventId, endpointId, workspaceId }, { endpointRevision }));
  } catch (error) {
    slot.release();
    logger.warn('a delivery could not be claimed or attempted; the reconciler enqueues it', errorFields(error));
  }
}
