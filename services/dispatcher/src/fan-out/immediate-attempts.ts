import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import { type DeliveryTarget, type EndpointCache, isLimited } from '@posthorn/messages/endpoint-cache';
import type { DeliverRequest, NewDeliveryIds } from '@posthorn/queue/jobs';
import { atMost } from '@posthorn/runtime/at-most';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { LRUCache } from 'lru-cache';
import {
  type EndpointLimits,
  type Held as Limited,
  type Refused,
  refusalByProcess,
  SOON_SECONDS,
} from '../admission/admit.ts';
import type { SlotRequest } from '../admission/endpoint-load.ts';
import { KEPT_FOR_JOBS, type Slots, type TakenSlot } from '../admission/slots.ts';
import type { AttemptOptions, Deliver } from '../deliver/deliver.ts';
import type { AttemptTrace, StartAttemptTrace } from '../deliver/tracing.ts';
import type { DispatcherMetrics } from '../metrics.ts';

export type ImmediateAttemptsDeps = {
  slots: Pick<Slots, 'free' | 'freed' | 'refusalOfSlow' | 'tryTake' | 'takeInTurn'>;
  clock: Clock;
  endpoints: Pick<EndpointCache, 'limitsOf'>;
  /** Applies an endpoint's own limits to a delivery that already has a slot of this process. */
  applyOwnLimits: (delivery: SlotOf, limits: EndpointLimits) => Promise<Limited | Refused>;
  /** Gives the line of an endpoint a turn now. */
  hurryLine: (endpointId: string) => void;
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
   * Resolves once there is room for the wanted number of attempts, or for a sixteenth of the slots, or after the time.
   * At full load, waiting for a slot costs less than a job and a claim, and deliveries with jobs are attempted first.
   */
  awaitRoom(wanted: number, withinMs: number): Promise<void>;
  /**
   * Takes slots for some of the deliveries that are about to be inserted, or were handed over. The caller enqueues the
   * others. With `mayDelay`, a delivery of a slow endpoint gets a delay, which an ordered delivery must not have.
   */
  reserve(deliveries: readonly NewDeliveryIds[], options: { mayDelay: boolean }): Promise<Reservation>;
  /**
   * Claims and attempts due deliveries as slots become free for them. A delivery becomes a job if there is no room to
   * wait, or its endpoint has limits. A delivery that waits for over a second also gets a job from the reconciler.
   * Never throws.
   */
  take(deliveries: readonly DeliverRequest[]): Promise<void>;
  /** Resolves once the attempts in progress have ended. */
  drain(): Promise<void>;
};

export type Reservation = {
  has(deliveryId: string): boolean;
  /**
   * The delay in seconds of a delivery whose endpoint is slow and has no free slot here; 0 for all others. A job for it
   * would only be refused, and deferred by another statement. For a delivery that enters a line, the delay of the
   * line's next turn.
   */
  delaySeconds(deliveryId: string): number;
  /**
   * Whether a limit of the endpoint refuses the delivery. Then it is created in the endpoint's line, and gets no job.
   */
  entersLine(deliveryId: string): boolean;
  /** Begins the attempts of these deliveries. */
  begin(claimed: readonly ClaimedDelivery[]): void;
  /** Claims those of these deliveries that have a slot, together, and attempts them. */
  claim(deliveries: readonly NewDeliveryIds[]): void;
  /** Releases the slots of deliveries whose attempts have not begun. */
  release(): void;
};

type SlotOf = Pick<NewDeliveryIds, 'deliveryId' | 'eventId' | 'endpointId' | 'workspaceId'>;
type Held = { slot: TakenSlot } & AttemptOptions['admitted'];
/**
 * `held` has the slots, by delivery id. `refused` has the waits, in seconds, of endpoints whose limits refused a
 * delivery.
 */
type Holding = { held: Map<string, Held>; refused: Map<string, number> };

/** A batch takes at most half of the other free slots, so that all dispatchers share the work. */
const SHARE_OF_BATCH = 1 / 2;
/** With room for this share of the slots, a separate statement for a part of the deliveries is worth its cost. */
const MIN_ROOM_SHARE = 1 / 16;
/** The number of due deliveries for each slot that may wait in this process: about half a second at full load. */
const WAITING_FOR_A_SLOT = 2;

/**
 * For this long after a refusal, new deliveries of the endpoint enter its line, even if there is no slot to ask its
 * limits with.
 */
const REFUSED_MS = 1_000;
const MAX_REFUSED = 10_000;

/** Deliveries without a free slot are left to jobs and admission. */
export function createImmediateAttempts(deps: ImmediateAttemptsDeps): ImmediateAttempts {
  const { slots, clock, endpoints, slotCount, shutdown, hurryLine } = deps;
  const underWay = new Set<Promise<void>>();
  const keep = (attempted: Promise<void>) => {
    const ended = attempted.finally(() => underWay.delete(ended));
    underWay.add(ended);
  };
  const begin = (claim: ClaimedDelivery, held: Held, traceOf: TraceOf) =>
    keep(attempt(deps, claim, { ...held, trace: traceOf(claim) }));
  const refusals = createRefusals(clock);
  const free = () => (shutdown.draining ? 0 : Math.max(0, slots.free() - slotCount * KEPT_FOR_JOBS));
  const room = () => Math.floor(free() * SHARE_OF_BATCH);
  const hold = async (deliveries: readonly SlotOf[], { mayEnterLine }: { mayEnterLine: boolean }): Promise<Holding> => {
    const [held, refused] = [new Map<string, Held>(), new Map<string, number>()];
    const budget = room();
    const known = deliveries.filter(({ endpointId }) => refusals.waitMs(endpointId) !== undefined);
    const targets = await targetsOf(endpoints, [...deliveries.slice(0, 2 * budget), ...known]);
    const limited = new Map<string, { target: DeliveryTarget; ofEndpoint: SlotOf[] }>();
    let taken = 0;
    for (const delivery of deliveries) {
      const { deliveryId, endpointId, workspaceId } = delivery;
      const target = targets.get(endpointId);
      if (target === undefined) continue;
      if (isLimited(target)) {
        if (!mayAskHere(target, mayEnterLine)) continue;
        const known = limited.get(endpointId) ?? { target, ofEndpoint: [] };
        limited.set(endpointId, known);
        known.ofEndpoint.push(delivery);
      } else if (taken < budget) {
        const slot = slots.tryTake({ endpointId, workspaceId });
        if (slot === undefined) continue;
        taken += 1;
        held.set(deliveryId, { slot, endpointRevision: target.revision });
      }
    }
    const trySlot = (request: SlotRequest) => {
      const slot = taken < budget ? slots.tryTake(request) : undefined;
      if (slot !== undefined) taken += 1;
      return slot;
    };
    const holding = { held, refused };
    await Promise.all([...limited.values()].map((one) => holdLimited(deps, one, { trySlot, refusals, holding })));
    return holding;
  };
  let waiting = 0;
  const attemptInTurn = async (delivery: DeliverRequest, endpointRevision: string) => {
    const { endpointId, workspaceId } = delivery;
    waiting += 1;
    const slot = await slots.takeInTurn({ endpointId, workspaceId });
    waiting -= 1;
    if (slot !== undefined && !shutdown.draining) return claimAndAttempt(deps, delivery, { slot, endpointRevision });
    slot?.release();
    deps.enqueue([delivery]);
  };
  return {
    room,
    async awaitRoom(wanted, withinMs) {
      const enough = Math.min(wanted, Math.floor(slotCount * MIN_ROOM_SHARE));
      const untilMs = clock.monotonicMs() + withinMs;
      for (let leftMs = withinMs; leftMs > 0; leftMs = untilMs - clock.monotonicMs()) {
        if (shutdown.draining || room() >= enough) return;
        await slots.freed(leftMs);
      }
    },
    async reserve(deliveries, { mayDelay }) {
      const { held, refused } = await hold(deliveries, { mayEnterLine: mayDelay });
      const others = deliveries.filter(({ deliveryId }) => mayDelay && !held.has(deliveryId));
      const lined = new Map(
        others.flatMap(({ deliveryId, endpointId }) => {
          const seconds = refused.get(endpointId);
          return seconds === undefined ? [] : [[deliveryId, seconds]];
        }),
      );
      const newcomers = others.filter(({ deliveryId }) => !lined.has(deliveryId));
      const delays = new Map<string, number>();
      for (const { deliveryId, later } of await refusedOfSlow(deps, newcomers)) {
        if (later.entersLine) lined.set(deliveryId, later.delaySeconds);
        else delays.set(deliveryId, later.delaySeconds);
      }
      const traceOf = deps.startTrace();
      return {
        has: (deliveryId) => held.has(deliveryId),
        delaySeconds: (deliveryId) => lined.get(deliveryId) ?? delays.get(deliveryId) ?? 0,
        entersLine: (deliveryId) => lined.has(deliveryId),
        begin(claimed) {
          for (const claim of claimed) {
            const mine = held.get(claim.deliveryId);
            if (mine === undefined) continue;
            held.delete(claim.deliveryId);
            begin(claim, mine, traceOf);
          }
        },
        claim(deliveries) {
          for (const delivery of deliveries) {
            const mine = held.get(delivery.deliveryId);
            if (mine === undefined) continue;
            held.delete(delivery.deliveryId);
            keep(claimAndAttempt(deps, delivery, mine));
          }
        },
        release() {
          for (const { slot } of held.values()) slot.release();
          held.clear();
          for (const [endpointId, seconds] of refused) {
            if (seconds < SOON_SECONDS) hurryLine(endpointId);
          }
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

/**
 * Whether to ask the endpoint's limits here. Otherwise, deliveries that may not enter a line become jobs. A pace after
 * an outage refuses few new deliveries, so it can be asked.
 */
function mayAskHere({ passesFrom }: DeliveryTarget, mayEnterLine: boolean): boolean {
  return mayEnterLine || passesFrom !== undefined;
}

/** The deliveries to slow endpoints that this process would refuse now, as it would refuse their jobs. */
async function refusedOfSlow({ slots, endpoints, metrics }: ImmediateAttemptsDeps, deliveries: readonly SlotOf[]) {
  const refusals = deliveries.flatMap((delivery) => {
    const refused = slots.refusalOfSlow(delivery);
    return refused === undefined ? [] : [{ ...delivery, refused }];
  });
  // If endpoints cannot be read, these are deferred anyway: the slots of the other deliveries are already held.
  const targets = await targetsOf(endpoints, refusals).catch(() => new Map<string, DeliveryTarget>());
  return refusals.map(({ deliveryId, endpointId, refused }) => {
    metrics.deferred.inc({ reason: refused.reason });
    return { deliveryId, later: refusalByProcess(refused, targets.get(endpointId)) };
  });
}

type Limiting = {
  trySlot: (request: SlotRequest) => TakenSlot | undefined;
  refusals: ReturnType<typeof createRefusals>;
  holding: Holding;
};

/** Takes what an endpoint's limits allow for its deliveries, in order, until one is refused or finds no slot. */
async function holdLimited(
  deps: ImmediateAttemptsDeps,
  { target, ofEndpoint }: { target: DeliveryTarget; ofEndpoint: readonly SlotOf[] },
  { trySlot, refusals, holding }: Limiting,
): Promise<void> {
  const { endpointId } = target;
  for (const delivery of ofEndpoint) {
    const { deliveryId, workspaceId } = delivery;
    const slot = trySlot({ endpointId, workspaceId });
    const answer = slot && (await takeLimited(deps, delivery, { target, slot }));
    if (answer !== undefined && !('reason' in answer)) {
      holding.held.set(deliveryId, answer);
      continue;
    }
    if (answer !== undefined) {
      refusals.add(endpointId, 1_000 * answer.delaySeconds);
      holding.refused.set(endpointId, answer.delaySeconds);
    } else if (slot === undefined) {
      const waitMs = refusals.waitMs(endpointId);
      if (waitMs !== undefined) holding.refused.set(endpointId, waitMs / 1_000);
    }
    return;
  }
}

/** Takes what the endpoint's limits give to a delivery with a slot; undefined while Redis is away. */
async function takeLimited(
  { applyOwnLimits }: Pick<ImmediateAttemptsDeps, 'applyOwnLimits'>,
  delivery: SlotOf,
  { target, slot }: { target: DeliveryTarget; slot: TakenSlot },
): Promise<Held | Refused | undefined> {
  const own = await applyOwnLimits(delivery, target).catch(() => undefined);
  if (own?.kind !== 'held') {
    slot.release();
    return own;
  }
  const release: TakenSlot['release'] = (outcome) => {
    own.release();
    slot.release(outcome);
  };
  return { slot: { ...slot, release }, endpointRevision: target.revision, time: own.time };
}

/** Remembers which endpoints have refused a delivery, and how long later ones must wait. */
function createRefusals({ monotonicMs }: Clock) {
  const refusals = new LRUCache<string, { atMs: number; waitMs: number }>(atMost(MAX_REFUSED));
  return {
    add: (endpointId: string, waitMs: number) => void refusals.set(endpointId, { atMs: monotonicMs(), waitMs }),
    waitMs(endpointId: string): number | undefined {
      const known = refusals.get(endpointId);
      if (known === undefined || monotonicMs() - known.atMs > Math.max(REFUSED_MS, known.waitMs)) return undefined;
      return Math.max(0, known.atMs + known.waitMs - monotonicMs());
    },
  };
}

/** The endpoints of the deliveries, as far as they can be read. */
async function targetsOf(
  endpoints: Pick<EndpointCache, 'limitsOf'>,
  deliveries: readonly SlotOf[],
): Promise<Map<string, DeliveryTarget>> {
  const endpointIds = [...new Set(deliveries.map((delivery) => delivery.endpointId))];
  const targets = await Promise.all(endpointIds.map((endpointId) => endpoints.limitsOf(endpointId)));
  return new Map(targets.flatMap((target) => (target === undefined ? [] : [[target.endpointId, target]])));
}

/** The revisions of the endpoints without limits of their own. */
async function unlimitedRevisions(
  endpoints: Pick<EndpointCache, 'limitsOf'>,
  deliveries: readonly SlotOf[],
): Promise<Map<string, string>> {
  const targets = [...(await targetsOf(endpoints, deliveries)).values()];
  return new Map(targets.flatMap((target) => (isLimited(target) ? [] : [[target.endpointId, target.revision]])));
}

type TraceOf = ReturnType<StartAttemptTrace>;

async function attempt(
  { deliver, logger }: ImmediateAttemptsDeps,
  claim: ClaimedDelivery,
  { slot, trace, ...admitted }: Held & { trace: AttemptTrace },
): Promise<void> {
  const { deliveryId, eventId, endpointId, workspaceId } = claim;
  const job = { deliveryId, eventId, endpointId, workspaceId };
  try {
    slot.release(await deliver.attempt(claim, { job, admitted, trace }));
  } catch (error) {
    slot.release();
    logger.warn('an attempt failed by a fault of the service; its lease will expire', errorFields(error));
  }
}

async function claimAndAttempt(
  { deliver, logger }: ImmediateAttemptsDeps,
  { deliveryId, eventId, endpointId, workspaceId }: NewDeliveryIds,
  { slot, ...admitted }: Held,
): Promise<void> {
  try {
    slot.release(await deliver.claimAndAttempt({ deliveryId, eventId, endpointId, workspaceId }, admitted));
  } catch (error) {
    slot.release();
    logger.warn('a delivery could not be claimed or attempted; the reconciler enqueues it', errorFields(error));
  }
}
