import { newUuid } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { leaseAnswer, leaseBody } from '@posthorn/contract/pull';
import type { SealingKeys } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import { type Lease, type LeasedDelivery, leaseDeliveries, releaseLeases } from '@posthorn/ledger/lease-deliveries';
import { afterLease } from '@posthorn/ledger/lease-outcome';
import { type PullState, pullStates } from '@posthorn/ledger/pull-state';
import { heldDeliveries, settleLeases } from '@posthorn/ledger/settle-leases';
import type { DeliveryTarget, EndpointCache } from '@posthorn/messages/endpoint-cache';
import type { LivePublisher } from '@posthorn/queue/live';
import { createAgedCache } from '@posthorn/runtime/aged-cache';
import type { Clock } from '@posthorn/runtime/clock';
import type { Gate } from '@posthorn/runtime/gate';
import type { Tracing } from '@posthorn/runtime/tracing';
import type { Gatherer } from '@posthorn/stats/gather';
import type { Transformer } from '@posthorn/transform/open-transformer';
import type { z } from 'zod';
import type { LastUsed } from '../auth/last-used.ts';
import type { ApiMetrics } from '../metrics.ts';
import { countAnswer, untransformedLease } from './answers.ts';
import type { Consumer } from './consumer.ts';
import { type LeasedMessage, makeMessage } from './messages.ts';
import type { Place, Waiting } from './waiting.ts';

export type LeaseDeps = {
  db: Db;
  keys: SealingKeys;
  clock: Clock;
  endpoints: Pick<EndpointCache, 'atRevision'>;
  waiting: Waiting;
  /** Limits how many calls of all consumers use Postgres at once. */
  turns: Gate;
  /** Limits how many calls wait at once. */
  waits: Gate;
  lastUsed: Pick<LastUsed, 'leased'>;
  live: Pick<LivePublisher, 'deliveryChanged'>;
  stats: Pick<Gatherer, 'countAttempt' | 'countAttemptBytes' | 'countEnded'>;
  metrics: Pick<ApiMetrics, 'pulled'>;
  wakeConsumers: (endpointIds: Iterable<string>) => void;
  transformer: Pick<Transformer, 'transform'>;
  tracing: Tracing | undefined;
  random: () => number;
  retrySchedule: readonly number[];
  retentionDays: number;
};

/** A caller. `onGone` calls back once when the caller has gone. */
export type Caller = { isGone(): boolean; onGone(run: () => void): void };

export type Leased = {
  answer: z.input<typeof leaseAnswer>;
  /** Ends the leases of an answer that could not be written to the caller. */
  release(): Promise<void>;
};

/** The rest of an answer of full size, for the names of its fields. */
const BYTES_BESIDE = 64 * 1024;
/** Base64 makes four bytes of three. */
const MOST_PAYLOAD_BYTES = Math.floor(((LIMITS.leaseAnswerBytes - BYTES_BESIDE) * 3) / 4);
/** The messages of an answer are made one after the other within this share of their leases. Their consumer has the rest. */
const MAKING_SHARE = 1 / 3;
/** The waiting deliveries of an endpoint are counted at most this often. */
const COUNTED_EVERY_MS = 1_000;

/** Leases messages to a consumer, and waits for the first as long as the consumer asks. */
export function createLease(deps: LeaseDeps) {
  const { db, clock, turns, waits, waiting, lastUsed } = deps;
  const stateOf = createAgedCache({
    clock,
    maxAgeMs: COUNTED_EVERY_MS,
    maxEntries: 10_000,
    load: async (endpointId: string) => (await pullStates(db, [endpointId])).get(endpointId),
  });
  return async (consumer: Consumer, body: z.output<typeof leaseBody>, caller: Caller): Promise<Leased> =>
    body.waitSeconds > 0
      ? waits.run(consumer, () => leaseWithin(consumer, body, caller))
      : leaseWithin(consumer, body, caller);

  async function leaseWithin(consumer: Consumer, body: z.output<typeof leaseBody>, caller: Caller): Promise<Leased> {
    const { endpointId } = consumer;
    const endsAtMs = clock.monotonicMs() + 1_000 * body.waitSeconds;
    lastUsed.leased(endpointId, clock.now());
    // Everything runs in one turn: messages whose leases run must not wait for another turn.
    const tryNow = () =>
      caller.isGone() ? NONE : turns.run(consumer, () => leaseNow(deps, { consumer, body, stateOf }));
    // Take a place before the first look: a call that is woken meanwhile looks again.
    const place = body.waitSeconds > 0 ? waiting.enter(endpointId) : undefined;
    caller.onGone(() => place?.leave());
    try {
      let taken = await tryNow();
      while (place !== undefined && taken.messages.length === 0 && !place.isOver() && !caller.isGone()) {
        const leftMs = endsAtMs - clock.monotonicMs();
        if (leftMs <= 0) break;
        const isWoken = await waitForOne({ place, leftMs, waiting, endpointId, state: taken.state });
        // Nobody has anything for a call whose time is over: looking once more would cost each idle consumer a statement.
        if (!isWoken) break;
        if (!place.isOver()) taken = await tryNow();
      }
      const { waiting: count = 0, oldestAgeSeconds = null } = taken.state ?? {};
      return {
        answer: { messages: taken.messages, waiting: count, oldestAgeSeconds },
        release: () => release(deps, endpointId, taken.leases),
      };
    } finally {
      place?.leave();
    }
  }
}

/** A lease that is given back if the consumer does not get its message. */
type Returnable = Lease & Pick<LeasedDelivery, 'place'>;
type Taken = { messages: LeasedMessage[]; leases: Returnable[]; state?: PullState | undefined };
const NONE: Taken = { messages: [], leases: [] };

type ForOne = { place: Place; leftMs: number; waiting: Waiting; endpointId: string; state: PullState | undefined };

/** Resolves to whether there may be something to lease. */
async function waitForOne({ place, leftMs, waiting, endpointId, state }: ForOne): Promise<boolean> {
  const next = state?.nextDueSeconds ?? null;
  // Something that is due, and was not leased, is being leased by another: do not look again at once.
  if (next !== null && next > 0) waiting.wakeAfter(endpointId, next);
  return place.wait(leftMs);
}

type ToLease = {
  consumer: Consumer;
  body: z.output<typeof leaseBody>;
  stateOf: (endpointId: string) => Promise<PullState | undefined>;
};

async function leaseNow(deps: LeaseDeps, { consumer, body, stateOf }: ToLease): Promise<Taken> {
  const { endpointId } = consumer;
  const leaseToken = newUuid(deps.clock.now());
  const makeUntilMs = deps.clock.monotonicMs() + 1_000 * body.leaseSeconds * MAKING_SHARE;
  const leased = await leaseDeliveries(deps.db, {
    endpointId,
    leaseToken,
    most: body.max,
    leaseSeconds: body.leaseSeconds,
    mostBytes: MOST_PAYLOAD_BYTES,
  });
  const [first] = leased;
  if (first === undefined) return { ...NONE, state: await stateOf(endpointId) };
  for (const { workspaceId, deliveryId } of leased) deps.live.deliveryChanged({ workspaceId, deliveryId, endpointId });
  const leases = leased.map(({ deliveryId, place }) => ({ deliveryId, leaseToken, place }));
  try {
    const revision = first.endpointRevision;
    const taken = await makeMessages(deps, { leased, leaseToken, endpointId, revision, makeUntilMs });
    return { ...taken, state: await stateOf(endpointId) };
  } catch (error) {
    await release(deps, endpointId, leases);
    throw error;
  } finally {
    // Let the next waiting call look: there may be more.
    deps.waiting.wake([endpointId]);
  }
}

type ToMake = {
  leased: LeasedDelivery[];
  leaseToken: string;
  endpointId: string;
  revision: string;
  /** By the monotonic clock. Deliveries whose messages are not made by then are given back. */
  makeUntilMs: number;
};

async function makeMessages(deps: LeaseDeps, toMake: ToMake): Promise<Taken> {
  const { leased, leaseToken, endpointId, revision, makeUntilMs } = toMake;
  const found = await deps.endpoints.atRevision(endpointId, revision);
  const target = found.kind === 'found' ? found.target : undefined;
  const taken: Taken = { messages: [], leases: [] };
  const isLate = () => deps.clock.monotonicMs() > makeUntilMs;
  const tooMany: Returnable[] = [];
  const ended: (Lease & Ending)[] = [];
  let bytes = BYTES_BESIDE;
  for (const [n, one] of leased.entries()) {
    const lease = { deliveryId: one.deliveryId, leaseToken, place: one.place };
    if (n > 0 && isLate()) {
      tooMany.push(lease);
      continue;
    }
    const made = await makeMessage(deps, { leased: one, target, leaseToken });
    if (made.kind === 'ended') {
      ended.push({ ...lease, reason: made.reason, cancelReason: made.cancelReason });
      continue;
    }
    if (made.kind === 'untransformed' && target !== undefined) {
      await settleUntransformed(deps, target, { ...lease, message: made.message });
      continue;
    }
    if (made.kind !== 'message') {
      tooMany.push(lease);
      continue;
    }
    bytes += bytesOf(made.message);
    if (taken.messages.length > 0 && (bytes > LIMITS.leaseAnswerBytes || isLate())) {
      tooMany.push(lease);
      continue;
    }
    taken.messages.push(made.message);
    taken.leases.push(lease);
  }
  await release(deps, endpointId, tooMany);
  await endUnreadable(deps, endpointId, ended);
  deps.metrics.pulled.inc({ result: 'leased' }, taken.messages.length);
  return taken;
}

/** The bytes of a message and a comma in an answer. The body is base64, which JSON leaves as it is. */
function bytesOf(message: LeasedMessage): number {
  return Buffer.byteLength(JSON.stringify({ ...message, body: '' })) + message.body.length + 1;
}

async function release(deps: LeaseDeps, endpointId: string, leases: readonly Returnable[]): Promise<void> {
  if (leases.length === 0) return;
  await releaseLeases(deps.db, endpointId, leases);
  deps.metrics.pulled.inc({ result: 'released' }, leases.length);
  deps.wakeConsumers([endpointId]);
}

/** Ends deliveries that can be given to no consumer. */
async function endUnreadable(
  { db, stats, live }: LeaseDeps,
  endpointId: string,
  ended: readonly (Lease & Ending)[],
): Promise<void> {
  if (ended.length === 0) return;
  const held = await heldDeliveries(db, endpointId, ended);
  const settlements = ended.flatMap(({ deliveryId, reason, cancelReason }) => {
    const one = held.get(deliveryId);
    return one === undefined
      ? []
      : [{ held: one, after: endedBy({ reason, cancelReason }, one), attempt: null, mayStillAnswer: false }];
  });
  const changed = await settleLeases(db, settlements);
  for (const { held: one, after } of settlements) {
    live.deliveryChanged(one);
    // Nothing has failed when the endpoint's own code does not want the event.
    const isFailure = after.next.status === 'failed' && after.next.failureReason !== 'cancelled_by_transformation';
    if (changed.has(one.deliveryId) && !one.isTest && isFailure) stats.countEnded(one, 'failed');
  }
}

/** Settles an attempt whose transformation failed: the consumer gets nothing, and the delivery follows the schedule. */
async function settleUntransformed(
  deps: LeaseDeps,
  target: DeliveryTarget,
  lease: Lease & { message: string },
): Promise<void> {
  const held = (await heldDeliveries(deps.db, target.endpointId, [lease])).get(lease.deliveryId);
  if (held === undefined) return;
  const settlement = untransformedLease(deps, target, { held, message: lease.message });
  const changed = await settleLeases(deps.db, [settlement]);
  if (changed.has(held.deliveryId)) countAnswer(deps, settlement);
}

type Ending = Omit<Extract<Parameters<typeof afterLease>[0], { kind: 'ended' }>, 'kind'>;

const endedBy = (ending: Ending, held: Parameters<typeof afterLease>[1]) =>
  afterLease({ kind: 'ended', ...ending }, held, { retryDelaySeconds: undefined, secondsLeft: 0 });
