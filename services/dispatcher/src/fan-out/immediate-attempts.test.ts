import { beforeEach, describe, expect, test } from '@jest/globals';
import { DEFAULT_KIND } from '@posthorn/destinations/kinds';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import type { NewDelivery } from '@posthorn/ledger/create';
import type { DeliveryTarget } from '@posthorn/messages/endpoint-cache';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import { systemClock } from '@posthorn/runtime/clock';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Held, Refused } from '../admission/admit.ts';
import type { AttemptOutcome } from '../admission/endpoint-load.ts';
import { createSlots, type Slots } from '../admission/slots.ts';
import { createAttemptTraces } from '../deliver/tracing.ts';
import { createMetrics, type DispatcherMetrics } from '../metrics.ts';
import { createImmediateAttempts, type ImmediateAttempts } from './immediate-attempts.ts';

const SLOTS = 40;
let slots: Slots;
let limits: Partial<DeliveryTarget>;
/** The answers of the endpoints' limits, in order. */
let ownLimits: (Held | Refused)[];
let hurried: string[];
let shutdown: { draining: boolean };
let attempts: { deliveryId: string; endpointRevision: string | undefined; end: (outcome?: Error) => void }[];
let warnings: string[];
let enqueued: DeliverRequest[];
let immediate: ImmediateAttempts;
let metrics: DispatcherMetrics;
beforeEach(() => {
  metrics = createMetrics();
  // Time stands still, because a long attempt would change its endpoint's pace.
  slots = createSlots({ slots: SLOTS, clock: { ...systemClock, monotonicMs: () => 0 }, random: () => 0.5 });
  [limits, shutdown, attempts, warnings, enqueued] = [{}, { draining: false }, [], [], []];
  [ownLimits, hurried] = [[], []];
  const target = (endpointId: string): DeliveryTarget => ({
    endpointId,
    revision: 'third',
    url: 'https://receiver.test/',
    workspaceId: 'workspace',
    environmentId: 'environment',
    headers: {},
    catchUp: 'paced',
    secretHeaders: new Set(),
    payloadFormat: 'raw',
    authorization: null,
    secrets: [],
    signature: undefined,
    standardHeaders: true,
    retrySchedule: null,
    transformation: null,
    timeoutSeconds: null,
    rateLimit: null,
    maxConcurrency: null,
    place: {
      ...{ kind: DEFAULT_KIND, endpointId: 'endpoint', owner: 'ws_1', revision: 'r', url: '' },
      ...{ settings: {}, credentials: {} },
    },
    ...limits,
  });
  immediate = createImmediateAttempts({
    slots,
    slotCount: SLOTS,
    clock: systemClock,
    endpoints: { limitsOf: async (id) => (id === 'missing' ? undefined : target(id)) },
    deliver: {
      attempt: ({ deliveryId }, { admitted }) => attempted(deliveryId, admitted),
      claimAndAttempt: ({ deliveryId }, admitted) => attempted(deliveryId, admitted),
    },
    applyOwnLimits: async () => ownLimits.shift() ?? { kind: 'held', release: () => {} },
    hurryLine: (endpointId) => void hurried.push(endpointId),
    enqueue: (deliveries) => void enqueued.push(...deliveries),
    startTrace: createAttemptTraces(undefined),
    logger: { warn: (message) => warnings.push(message) },
    metrics,
    shutdown,
  });
});

const attempted = (deliveryId: string, { endpointRevision }: { endpointRevision: string | undefined }) =>
  new Promise<AttemptOutcome>((resolve, reject) => {
    const end = (fault?: Error) => (fault ? reject(fault) : resolve({ succeeded: true, durationMs: 20 }));
    attempts.push({ deliveryId, endpointRevision, end });
  });

/** Deliveries of one event, each to its own endpoint by default. */
const newDeliveries = (count: number, endpointId = (n: number) => `endpoint-${n}`): NewDelivery[] =>
  Array.from({ length: count }, (_, n) => ({
    deliveryId: `delivery-${n}`,
    eventId: 'event',
    endpointId: endpointId(n),
    workspaceId: 'workspace',
    environmentId: 'environment',
    eventType: 'order.created',
  }));

const claimOf = ({ deliveryId, eventId, endpointId, workspaceId }: NewDelivery): ClaimedDelivery => ({
  deliveryId,
  eventId,
  endpointId,
  workspaceId,
  endpointRevision: 'third',
  orderingKey: null,
  leaseToken: 'token',
  attemptNumber: 1,
  trigger: 'schedule',
  scheduleStep: 0,
  lostLeases: 0,
  askedAtMs: 0,
  askedAtWallMs: 0,
  eventAgeSeconds: 0,
  event: null,
});

const reserved = async (deliveries: NewDelivery[]) => {
  const reservation = await immediate.reserve(deliveries, { mayDelay: true });
  return { reservation, held: deliveries.filter(({ deliveryId }) => reservation.has(deliveryId)) };
};

const FAILED = { succeeded: false, durationMs: 500 };

async function deferred(reason: string): Promise<number> {
  const { values } = await metrics.deferred.get();
  return values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
}

describe('a batch for an endpoint with limits', () => {
  beforeEach(() => {
    limits = { rateLimit: { limit: 1, periodSeconds: 1 } };
  });
  const refused: Refused = { kind: 'refused', reason: 'rate_limit', delaySeconds: 0.2, entersLine: true };
  const toOne = (count: number) => newDeliveries(count, () => 'one');

  test('attempts what the limits allow, and the others enter the line, which has a turn once they are created', async () => {
    ownLimits = [{ kind: 'held', release: () => {} }, refused];
    const { reservation, held } = await reserved(toOne(4));
    expect(held.map(({ deliveryId }) => deliveryId)).toEqual(['delivery-0']);
    const others = toOne(4).slice(1);
    expect(others.map(({ deliveryId }) => reservation.entersLine(deliveryId))).toEqual([true, true, true]);
    expect(others.map(({ deliveryId }) => reservation.delaySeconds(deliveryId))).toEqual([0.2, 0.2, 0.2]);
    expect(hurried).toEqual([]);
    reservation.release();
    expect(hurried).toEqual(['one']);
  });

  test('without a slot to ask with, enters the line if it refused a delivery lately', async () => {
    ownLimits = [refused];
    (await reserved(toOne(1))).reservation.release();
    await reserved(newDeliveries(100, (n) => `endpoint-${n}`));
    shutdown.draining = true;
    const { reservation } = await reserved(toOne(2));
    expect(toOne(2).map(({ deliveryId }) => reservation.entersLine(deliveryId))).toEqual([true, true]);
  });

  test('releases what it holds when the delivery was not created', async () => {
    let released = 0;
    ownLimits = [{ kind: 'held', release: () => (released += 1) }];
    (await reserved(toOne(1))).reservation.release();
    expect([released, slots.free()]).toEqual([1, SLOTS]);
  });
});

describe('a batch', () => {
  test('gets half of the free slots, after the sixteenth that is kept for jobs', async () => {
    expect((await reserved(newDeliveries(100))).held).toHaveLength(18);
    expect(slots.free()).toBe(SLOTS - 18);
  });

  test('gets no slot if only those kept for jobs are free', async () => {
    for (let batch = 0; batch < 10; batch += 1) await reserved(newDeliveries(100, (n) => `of-${batch}-${n}`));
    expect(slots.free()).toBeGreaterThanOrEqual(Math.floor(SLOTS / 16));
    expect((await reserved(newDeliveries(1, () => 'last'))).held).toEqual([]);
  });

  test('gets no more for one endpoint than its pace allows', async () => {
    // A new endpoint gets one slot of 32.
    expect((await reserved(newDeliveries(10, () => 'one'))).held).toHaveLength(2);
  });

  test('tells the delay of each delivery whose endpoint is slow and has no free slot', async () => {
    slots.tryTake({ endpointId: 'slow', workspaceId: 'workspace' })?.release(FAILED);
    const deliveries = newDeliveries(12, (n) => (n < 11 ? 'slow' : 'other'));
    const { reservation, held } = await reserved(deliveries);
    const delays = deliveries.map(({ deliveryId }) => reservation.delaySeconds(deliveryId));
    expect(held).toHaveLength(11);
    expect(delays.filter((delay) => delay > 0)).toHaveLength(1);
    expect(await deferred('endpoint')).toBe(1);
  });

  test('lets deliveries of a slow endpoint with maxConcurrency enter its line where there is no free slot', async () => {
    limits = { maxConcurrency: 50 };
    slots.tryTake({ endpointId: 'slow', workspaceId: 'workspace' })?.release(FAILED);
    const deliveries = newDeliveries(12, () => 'slow');
    const { reservation, held } = await reserved(deliveries);
    const lined = deliveries.filter(({ deliveryId }) => reservation.entersLine(deliveryId));
    expect([held.length, lined.length]).toEqual([10, 2]);
    expect(lined.map(({ deliveryId }) => reservation.delaySeconds(deliveryId))).toEqual([0, 0]);
  });

  test('gets no slot for a missing endpoint, and none at shutdown', async () => {
    expect((await reserved(newDeliveries(1, () => 'missing'))).held).toEqual([]);
    shutdown.draining = true;
    expect((await reserved(newDeliveries(3))).held).toEqual([]);
  });
});

describe('waiting for room', () => {
  /** Takes every slot that quick endpoints may take. */
  async function fill(): Promise<(count: number) => void> {
    const held: { release: (outcome?: AttemptOutcome) => void }[] = [];
    const quick = { succeeded: true, durationMs: 1 };
    for (let n = 0; n < 4; n += 1) {
      const request = { endpointId: `quick-${n}`, workspaceId: 'workspace' };
      slots.tryTake(request)?.release(quick);
      for (let taken = slots.tryTake(request); taken !== undefined; taken = slots.tryTake(request)) held.push(taken);
    }
    expect(slots.free()).toBe(0);
    return (count) => {
      for (const { release } of held.splice(0, count)) release(quick);
    };
  }

  test('ends when slots are released, and at once if there is room', async () => {
    await immediate.awaitRoom(100, 60_000);
    const release = await fill();
    expect(immediate.room()).toBe(0);
    const waiting = immediate.awaitRoom(100, 60_000);
    release(10);
    await waiting;
    expect(immediate.room()).toBeGreaterThan(0);
  });

  test('ends at once if there is room for all that is wanted', async () => {
    const release = await fill();
    release(5);
    expect(immediate.room()).toBe(1);
    await immediate.awaitRoom(1, 60_000);
  });

  test('ends after its time, and at shutdown', async () => {
    await fill();
    await immediate.awaitRoom(100, 20);
    expect(immediate.room()).toBe(0);
    shutdown.draining = true;
    await immediate.awaitRoom(100, 60_000);
  });
});

test('deliveries that were claimed are attempted at the revision that was admitted; the slots of the others are released', async () => {
  const { reservation, held } = await reserved(newDeliveries(3));
  const [first] = held;
  if (first === undefined) throw new Error('no slot was taken');
  reservation.begin([claimOf(first)]);
  reservation.release();
  expect(attempts).toMatchObject([{ deliveryId: first.deliveryId, endpointRevision: 'third' }]);
  expect(slots.free()).toBe(SLOTS - 1);
  for (const { end } of attempts) end();
  await waitFor(() => slots.free() === SLOTS, { what: 'the slot to be released' });
});

test('a delivery without a slot of this process is not attempted', async () => {
  const { reservation } = await reserved(newDeliveries(1));
  reservation.begin(newDeliveries(2).slice(1).map(claimOf));
  reservation.release();
  expect([attempts, slots.free()]).toEqual([[], SLOTS]);
});

test('an attempt that fails by a fault of the service releases its slot, and is logged', async () => {
  const { reservation, held } = await reserved(newDeliveries(1));
  reservation.begin(held.map(claimOf));
  attempts[0]?.end(new Error('our fault'));
  await waitFor(() => slots.free() === SLOTS, { what: 'the slot to be released' });
  expect(warnings).toEqual(['an attempt failed by a fault of the service; its lease will expire']);
});

test('draining waits for the attempts under way', async () => {
  const { reservation, held } = await reserved(newDeliveries(2));
  reservation.begin(held.map(claimOf));
  let drained = false;
  const draining = immediate.drain().then(() => {
    drained = true;
  });
  attempts[0]?.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(drained).toBe(false);
  attempts[1]?.end();
  await draining;
});

describe('due deliveries', () => {
  const due = (count: number, endpointId?: (n: number) => string): DeliverRequest[] =>
    newDeliveries(count, endpointId).map((one) => ({ ...one, generation: 1, delayMs: 0 }));
  const WITHOUT_JOBS = 37;

  test('are claimed and attempted as slots become free, in turn; those without room to wait become jobs', async () => {
    const deliveries = due(4 * SLOTS, (n) => `endpoint-${Math.floor(n / 2)}`);
    // A quarter of the slots is kept for quick endpoints.
    for (const { endpointId } of deliveries) {
      const request = { endpointId, workspaceId: 'workspace' };
      slots.tryTake(request)?.release({ succeeded: true, durationMs: 1 });
    }
    await immediate.take(deliveries);
    await waitFor(() => attempts.length === WITHOUT_JOBS, { what: 'the free slots to be taken' });
    expect(enqueued).toEqual(deliveries.slice(2 * SLOTS));
    while (attempts.length < 2 * SLOTS) {
      for (const { end } of attempts) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const { end } of attempts) end();
    await immediate.drain();
    const inTurn = deliveries.slice(0, 2 * SLOTS).map((one) => one.deliveryId);
    expect(attempts.map((one) => one.deliveryId)).toEqual(inTurn);
    expect(slots.free()).toBe(SLOTS);
  });

  test('become jobs where their endpoint takes no more, has limits or is missing', async () => {
    await immediate.take(due(3, () => 'missing'));
    limits = { maxConcurrency: 5 };
    await immediate.take(due(3));
    limits = {};
    await immediate.take(due(3, () => 'new'));
    // A new endpoint gets one slot of 32.
    await waitFor(() => enqueued.length === 7, { what: 'the jobs' });
    expect(attempts).toHaveLength(2);
  });

  test('become jobs at shutdown, also those that wait for a slot', async () => {
    await immediate.take(due(SLOTS));
    await waitFor(() => attempts.length > 0, { what: 'the first attempts' });
    shutdown.draining = true;
    await immediate.take(due(1));
    for (const { end } of attempts) end();
    await immediate.drain();
    expect(enqueued.length + attempts.length).toBe(SLOTS + 1);
    expect(slots.free()).toBe(SLOTS);
  });
});
