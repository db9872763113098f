import type { Db } from '@posthorn/db/client';
import {
  endLine,
  endTurns,
  type FirstInLine,
  firstOfLines,
  type LineTurn,
  releaseLine,
  setNextTurns,
  TURNS_AT_ONCE,
  takeLineTurns,
} from '@posthorn/ledger/line';
import { type EndpointCache, isLimited } from '@posthorn/messages/endpoint-cache';
import type { DeliverJob, DeliverRequest } from '@posthorn/queue/jobs';
import { pace } from '@posthorn/queue/throttle';
import { atMost } from '@posthorn/runtime/at-most';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { LRUCache } from 'lru-cache';
import type { Deliver } from '../deliver/deliver.ts';
import type { Watch } from '../watch.ts';
import { AHEAD_MS, type EndpointLimits, type Held, type OwnLimitsDeps, takeSharedSlot, timeInRate } from './admit.ts';
import type { CatchUp } from './catch-up.ts';
import type { Slots, TakenSlot } from './slots.ts';

export type LinesDeps = OwnLimitsDeps & {
  db: Db;
  slots: Pick<Slots, 'tryTake'>;
  endpoints: Pick<EndpointCache, 'atRevision'>;
  deliver: Pick<Deliver, 'takeTurn' | 'isolated'>;
  enqueue: (deliveries: DeliverRequest[]) => void;
  catchUp: Pick<CatchUp, 'learn'>;
  shutdown: { draining: boolean };
  watch: Watch;
  logger: Pick<Logger, 'warn'>;
};

/** Gives the lines of limited endpoints their turns (docs/adr/0014). All dispatchers share the turns. */
export type Lines = {
  /** Gives the line of this endpoint a turn at once, if it has one. */
  hurry(endpointId: string): void;
  /** Makes this process send nothing from the line of this endpoint for this time, at most 30 s. */
  pause(endpointId: string, forMs: number): void;
  /** Gives no further turns. Attempts in progress go on. */
  stop(): Promise<void>;
  /** Resolves once the attempts in progress have ended. */
  drain(): Promise<void>;
};

/** Shorter than `AHEAD_MS`, so that each time is reserved before it comes. */
const EVERY_MS = 200;
/** The pause if more lines are due than get a turn at once. It leaves most of the process to other work. */
const MORE_DUE_MS = 20;
/** The most deliveries of a turn. */
const MOST = 200;
/** A line whose endpoint no longer has a limit becomes due in pages of this size. */
const PAGE = 500;
/**
 * The time to the next turn of a line that waits for slots of this process, or for something that announces its end.
 */
const AGAIN_MS = 250;
/** After this time, the beginning of a line is searched from its start. Until then, from where it was last found. */
const FROM_START_MS = 10_000;
/** How long an isolated turn waits for the slots and the time of its delivery. Other isolated deliveries wait meanwhile. */
const ISOLATED_MS = 2_000;
/** How long the mark of a line outlives its next turn, so that no new delivery passes the line while a turn is late. */
const MARK_MARGIN_MS = 2_000;
/** The longest time for which this process pauses a line, because the limits may change meanwhile. */
const MOST_PAUSED_MS = 30_000;

/** How long a suspect of a line waits after an isolated turn that it did not get, or in which its line could not send. */
const AFTER_VAIN_MS = 5_000;

/** The attempts in progress. */
type UnderWay = Set<Promise<void>>;
type RunningDeps = LinesDeps & {
  underWay: UnderWay;
  /** Until when this process pauses lines, on the monotonic clock. */
  pauses: LRUCache<string, number>;
  /** The deliveries of lines that wait here for their isolated turn, or have it. They may still be the first of their lines. */
  suspects: Map<string, Suspect>;
};

/** While it waits for its isolated turn, it has no slot and no time, so that the others of its line go on. */
type Suspect = {
  endpointId: string;
  /** Present while its isolated turn waits for the attempt, which then ends it. */
  begin?: ((attempt: Promise<void>) => void) | undefined;
};

type Begin = { place: string; readAtMs: number };
/**
 * The next turn, on the monotonic clock, so that the time that a turn takes after reserving times does not delay it.
 */
type Next = { turn: LineTurn; atMs: number };

export function startLines(given: LinesDeps): Lines {
  const underWay: UnderWay = new Set();
  const pauses = new LRUCache<string, number>(atMost(10_000));
  const deps: RunningDeps = { ...given, underWay, pauses, suspects: new Map() };
  const { db, clock, logger, shutdown } = deps;
  const hurried = new Set<string>();
  const begins = new LRUCache<string, Begin>(atMost(10_000));
  const rounds = deps.watch.repeat('lines', {
    earlyMs: AHEAD_MS,
    async round() {
      if (shutdown.draining) return EVERY_MS;
      const asked = [...hurried];
      hurried.clear();
      const turns = await takeLineTurns(db, { aheadSeconds: AHEAD_MS / 1_000, hurried: asked });
      if (turns.length === 0) return EVERY_MS;
      deps.catchUp.learn(turns[0]?.gap);
      const taken = await takeAll(deps, turns, begins);
      const nowMs = clock.monotonicMs();
      const nexts = taken.map(({ turn, atMs }) => ({ ...turn, seconds: (atMs - nowMs) / 1_000 }));
      await setNextTurns(db, nexts);
      if (nexts.some(({ seconds }) => seconds <= 0)) return 0;
      return turns.length === TURNS_AT_ONCE ? MORE_DUE_MS : EVERY_MS;
    },
    waitAfterErrorMs: EVERY_MS,
    onError: (error) => logger.warn('the turns of limited endpoints failed', errorFields(error)),
  });
  return {
    hurry(endpointId) {
      hurried.add(endpointId);
      rounds.hurry();
    },
    pause(endpointId, forMs) {
      pauses.set(endpointId, clock.monotonicMs() + Math.min(forMs, MOST_PAUSED_MS));
    },
    stop: () => rounds.stop(),
    async drain() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

type Plan =
  /** Nothing limits the endpoint any more, or its deliveries must be ended. */
  | { kind: 'release' }
  | { kind: 'fetched' }
  | { kind: 'wait'; nextMs: number }
  | { kind: 'send'; limits: EndpointLimits; most: number };

async function planOf({ endpoints, pauses, clock }: RunningDeps, turn: LineTurn): Promise<Plan> {
  const { endpointId, revision, isActive, openSeconds } = turn;
  if (revision === undefined || !isActive) return { kind: 'release' };
  // The endpoint was activated again before all its waiting deliveries were ended.
  if (turn.isPulled) return { kind: 'fetched' };
  if (openSeconds !== null && openSeconds > 0) return { kind: 'wait', nextMs: 1_000 * openSeconds };
  const pausedMs = (pauses.get(endpointId) ?? Number.NEGATIVE_INFINITY) - clock.monotonicMs();
  // Plan the next turn soon, because another dispatcher may be able to send.
  if (pausedMs > 0) return { kind: 'wait', nextMs: Math.min(pausedMs, AGAIN_MS) };
  const found = await endpoints.atRevision(endpointId, revision);
  if (found.kind !== 'found') return { kind: 'release' };
  // One delivery becomes the probe. The others go on waiting.
  if (openSeconds !== null) return { kind: 'send', limits: found.target, most: 1 };
  if (!isLimited(found.target)) return { kind: 'release' };
  const { rateLimit, maxConcurrency } = found.target;
  const inTime = rateLimit === null ? MOST : mostWithin(pace(rateLimit), AHEAD_MS);
  return { kind: 'send', limits: found.target, most: Math.min(MOST, inTime, maxConcurrency ?? MOST) };
}

function mostWithin({ intervalMs, toleranceMs, passedMs }: ReturnType<typeof pace>, aheadMs: number): number {
  return 1 + Math.ceil((passedMs + toleranceMs + aheadMs) / intervalMs);
}

async function takeAll(deps: RunningDeps, turns: LineTurn[], begins: LRUCache<string, Begin>): Promise<Next[]> {
  const { db, clock } = deps;
  const planned = await Promise.all(turns.map(async (turn) => ({ turn, plan: await planOf(deps, turn) })));
  const suspects = new Map<string, number>();
  for (const { endpointId } of deps.suspects.values()) suspects.set(endpointId, (suspects.get(endpointId) ?? 0) + 1);
  const asked = planned.flatMap(({ turn: { endpointId }, plan }) => {
    if (plan.kind !== 'send') return [];
    const most = plan.most + Math.min(MOST, suspects.get(endpointId) ?? 0);
    const begin = begins.get(endpointId);
    const isKnown = begin !== undefined && clock.monotonicMs() - begin.readAtMs < FROM_START_MS;
    if (!isKnown) begins.delete(endpointId);
    return [{ endpointId, most, after: isKnown ? begin.place : '-infinity' }];
  });
  const firsts = new Map<string, FirstInLine[]>();
  for (const one of await firstOfLines(db, asked)) {
    firsts.set(one.endpointId, [...(firsts.get(one.endpointId) ?? []), one]);
  }
  for (const [endpointId, [first]] of firsts) {
    const begin = begins.get(endpointId);
    if (first !== undefined)
      begins.set(endpointId, { place: first.place, readAtMs: begin?.readAtMs ?? clock.monotonicMs() });
  }
  const nexts = await Promise.all(
    planned.map(async ({ turn, plan }) => {
      const first = firsts.get(turn.endpointId) ?? [];
      const atMs = await take(deps, { turn, plan, first });
      // A delivery may have returned to a place before the known beginning.
      if (first.length === 0) begins.delete(turn.endpointId);
      return atMs === undefined ? [] : [{ turn, atMs }];
    }),
  );
  return nexts.flat();
}

type Turn = { turn: LineTurn; plan: Plan; first: FirstInLine[] };

/** Returns the time of the next turn; undefined if the line has ended. */
async function take(deps: RunningDeps, { turn, plan, first }: Turn): Promise<number | undefined> {
  const { db, throttle, clock } = deps;
  const { endpointId } = turn;
  const after = (ms: number) => clock.monotonicMs() + ms;
  switch (plan.kind) {
    case 'wait':
      return after(plan.nextMs);
    case 'fetched':
      await endTurns(db, turn);
      return undefined;
    case 'release': {
      const released = await releaseLine(db, endpointId, PAGE);
      deps.enqueue(released.map((one) => ({ ...one, delayMs: 0 })));
      throttle.forgetLine(endpointId);
      if (released.length < PAGE) return (await endLine(db, turn)) ? undefined : after(AGAIN_MS);
      return after(AGAIN_MS);
    }
    case 'send': {
      forgetGone(deps, endpointId, first);
      if (first.length === 0) {
        if (!(await endLine(db, turn))) return after(AGAIN_MS);
        throttle.forgetLine(endpointId);
        return undefined;
      }
      const atMs = await send(deps, { turn, plan, first });
      throttle.markLine(endpointId, Math.max(0, atMs - clock.monotonicMs()) + MARK_MARGIN_MS);
      return atMs;
    }
  }
}

type Sending = { turn: LineTurn; plan: Extract<Plan, { kind: 'send' }>; first: FirstInLine[] };
type Ready = { one: FirstInLine; slot: TakenSlot; shared: Held };

/** Attempts the first deliveries, as far as slots and limits allow. Returns the time of the next turn. */
async function send(deps: RunningDeps, { turn, plan: { limits, most }, first }: Sending): Promise<number> {
  const { throttle, clock } = deps;
  const { endpointId, openSeconds } = turn;
  const { rateLimit, maxConcurrency } = limits;
  if (rateLimit !== null && (maxConcurrency !== null || first.some(({ isSuspect }) => isSuspect))) {
    // Otherwise a slot would be taken and released without sending, which would give the line its next turn, again and
    // again. And a suspect would hold an isolated turn, for which others wait, long before the line's next time.
    const { nextMs } = await throttle.reserveTimes(endpointId, rateLimit, { most: 0, aheadMs: AHEAD_MS });
    if (nextMs > AHEAD_MS) return clock.monotonicMs() + nextMs;
  }
  for (const one of first) if (one.isSuspect && !deps.suspects.has(one.deliveryId)) awaitIsolatedTurn(deps, one);
  const sendable = first.filter((one) => isItsTurn(deps, one)).slice(0, most);
  const ready: Ready[] = [];
  const reserve = async () => {
    await takeSlots(deps, { limits, first: sendable, ready });
    if (rateLimit === null || ready.length === 0) return { waitsMs: ready.map(() => 0), nextMs: AGAIN_MS };
    return throttle.reserveTimes(endpointId, rateLimit, { most: ready.length, aheadMs: AHEAD_MS });
  };
  const times = await reserve().catch((error: unknown) => {
    for (const { slot, shared } of ready) {
      shared.release();
      slot.release();
    }
    throw error;
  });
  const reservedAtMs = clock.monotonicMs();
  const claims = ready.map(({ one, slot, shared }, n) => {
    const waitMs = times.waitsMs[n];
    const release: TakenSlot['release'] = (outcome) => {
      shared.release();
      slot.release(outcome);
    };
    if (waitMs === undefined || !isItsTurn(deps, one)) return release();
    const time = rateLimit && timeInRate(deps, endpointId, { rateLimit, waitMs });
    return attempt(deps, one, { limits, time: time ?? undefined, release });
  });
  // Until they are claimed, another turn would find them in the line.
  await Promise.all(claims);
  if (openSeconds !== null && sendable.length > 0) return clock.monotonicMs() + 1_000;
  return reservedAtMs + (ready.length < first.length ? Math.max(times.nextMs, AGAIN_MS) : times.nextMs);
}

/** A suspect waits for its turn among all isolated deliveries of this process. */
function isItsTurn({ suspects }: RunningDeps, { deliveryId, isSuspect }: FirstInLine): boolean {
  return !isSuspect || suspects.get(deliveryId)?.begin !== undefined;
}

/**
 * Lets a suspect wait for its isolated turn, in which the next turns of its line send it. If it is left out, or its
 * isolated turn passes without an attempt, a later turn of the line begins again. Until then, the others of its line pass.
 */
function awaitIsolatedTurn(deps: RunningDeps, { deliveryId, endpointId, workspaceId }: FirstInLine): void {
  const { deliver, suspects, shutdown, hurryLine, logger } = deps;
  const suspect: Suspect = { endpointId };
  let hasBegun = false;
  suspects.set(deliveryId, suspect);
  const hold = async () => {
    if (shutdown.draining) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        suspect.begin = undefined;
        resolve();
      }, ISOLATED_MS).unref();
      suspect.begin = (attempt) => {
        hasBegun = true;
        suspect.begin = undefined;
        clearTimeout(timer);
        void attempt.then(resolve);
      };
      hurryLine(endpointId);
    });
  };
  void deliver
    .isolated(workspaceId, hold)
    .catch((error: unknown) => logger.warn('a delivery of a line could not be isolated', errorFields(error)))
    .finally(() => {
      if (hasBegun) suspects.delete(deliveryId);
      else setTimeout(() => suspects.delete(deliveryId), AFTER_VAIN_MS).unref();
    });
}

/**
 * Ends the isolated turns of deliveries that this page of their line does not have: another process may have sent them.
 * A delivery that only another page has begins to wait again.
 */
function forgetGone({ suspects }: RunningDeps, endpointId: string, first: readonly FirstInLine[]): void {
  for (const [deliveryId, suspect] of suspects) {
    if (suspect.endpointId !== endpointId || first.some((one) => one.deliveryId === deliveryId)) continue;
    suspect.begin?.(Promise.resolve());
  }
}

type Taking = { limits: EndpointLimits; first: FirstInLine[]; ready: Ready[] };

/** Adds the deliveries that have their slots to `ready`. */
async function takeSlots(deps: LinesDeps, { limits, first, ready }: Taking): Promise<void> {
  for (const one of first) {
    const { endpointId, workspaceId } = one;
    const slot = deps.slots.tryTake({ endpointId, workspaceId });
    if (slot === undefined) break;
    const shared = await takeSharedSlot(deps, endpointId, { ...limits, isTurn: true }).catch((error: unknown) => {
      slot.release();
      throw error;
    });
    if (shared === undefined) {
      slot.release();
      break;
    }
    ready.push({ one, slot, shared });
  }
}

type Attempt = {
  limits: EndpointLimits;
  time: ReturnType<typeof timeInRate> | undefined;
  release: TakenSlot['release'];
};

/** Resolves once the delivery is claimed or cannot be claimed. The attempt then goes on by itself. */
function attempt(
  { deliver, logger, underWay, suspects }: RunningDeps,
  one: FirstInLine,
  { limits, time, release }: Attempt,
): Promise<void> {
  const { deliveryId, eventId, endpointId, workspaceId, isSuspect, place } = one;
  const job: DeliverJob = {
    ...{ deliveryId, eventId, endpointId, workspaceId },
    ...(isSuspect ? { mode: 'isolated' as const } : {}),
  };
  return new Promise((resolve) => {
    const ended = deliver
      .takeTurn(job, { admitted: { endpointRevision: limits.revision, time }, place, onClaimed: resolve })
      .then(release, (error: unknown) => {
        release();
        logger.warn('a delivery of a line could not be attempted', errorFields(error));
      })
      .finally(() => {
        underWay.delete(ended);
        resolve();
      });
    underWay.add(ended);
    suspects.get(deliveryId)?.begin?.(ended);
  });
}
