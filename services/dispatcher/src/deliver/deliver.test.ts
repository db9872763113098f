import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { newSigningSecret } from '@posthorn/crypto/signing-secret';
import { createDb, type Db } from '@posthorn/db/client';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import type { Sender } from '@posthorn/destinations/kind';
import { cancelDelivery } from '@posthorn/ledger/cancel';
import { type ClaimedDelivery, claimDeliveries } from '@posthorn/ledger/claim';
import { disableEndpoint } from '@posthorn/ledger/disable-endpoint';
import { takeOffers } from '@posthorn/ledger/offer';
import { isInLine } from '@posthorn/ledger/waiting';
import { createEndpointCache } from '@posthorn/messages/endpoint-cache';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import { createThrottle } from '@posthorn/queue/redis/throttle';
import type { Throttle } from '@posthorn/queue/throttle';
import { systemClock } from '@posthorn/runtime/clock';
import { createLogger } from '@posthorn/runtime/logger';
import { createGatherer, type Gatherer } from '@posthorn/stats/gather';
import { createTestDatabase, type TestDatabase, testRedis } from '@posthorn/testkit/database';
import { type DeliveryRow, type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { startTcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { openTransformer } from '@posthorn/transform/open-transformer';
import { openLoopbackSender } from '../../test/loopback-sender.ts';
import { createOwners } from '../admission/owners.ts';
import { createPayloadMemory } from '../admission/payload-memory.ts';
import { createSlots } from '../admission/slots.ts';
import { createMetrics } from '../metrics.ts';
import { TIMING } from '../timing.ts';
import type { DeliverDeps } from './deliver.ts';
import { createLedgerBatches } from './ledger-batches.ts';
import { openDeliver } from './open-deliver.ts';
import { createOutage, type Outage } from './outage.ts';
import { createSettleWithRetry } from './settle-with-retry.ts';
import { createAttemptTraces } from './tracing.ts';

const keys = parseSealingKeys(`test:${randomBytes(32).toString('base64')}`);
const body = Buffer.from('{"card":"canary-4242"}');

let database: TestDatabase;
let db: Db;
let receiver: Receiver;
let sender: Sender;
let throttle: Throttle;
const transformer = openTransformer();
afterAll(() => transformer.close());
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  receiver = await startReceiver();
  sender = openLoopbackSender(receiver);
  throttle = createThrottle({ ...testRedis(), onError: () => {} });
  await waitFor(() => throttle.takeTime('warm-up', { limit: 100, periodSeconds: 1 }), { what: 'Redis' });
});
afterAll(async () => {
  throttle.close();
  sender.close();
  await receiver.close();
  await database.drop();
});

let endpoint: EndpointRow;
let enqueued: DeliverRequest[];
let logLines: string[];
let stats: Gatherer;
beforeEach(async () => {
  stats = createGatherer({ nowMs: Date.now, onFull: () => {}, onDropped: () => {} });
  receiver.requests.length = 0;
  receiver.respondWith(() => ({}));
  enqueued = [];
  logLines = [];
  endpoint = await insertEndpoint(db);
  const id = randomUUID();
  const sealed = seal(keys, Buffer.from(newSigningSecret()), sealContext.signingSecret(id));
  await db.signingSecret.create({ data: { id, endpointId: endpoint.endpointId, sealed: new Uint8Array(sealed) } });
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { url: receiver.url } });
});

const settings = { timeoutSeconds: 15, retrySchedule: [60], retentionDays: 7, maxWaitingIsolated: 0 };
const config = {
  SEALING_KEYS: keys,
  DELIVERY_TIMEOUT_SECONDS: settings.timeoutSeconds,
  RETRY_SCHEDULE: settings.retrySchedule,
  RETENTION_DAYS: settings.retentionDays,
};

/** Connects the parts as production does. A test replaces the parts that it is about. */
function openDeliverWith({
  slots: count = 100,
  metrics = createMetrics(),
  clock = systemClock,
  outage = createOutage(systemClock),
  ...replaced
}: Partial<DeliverDeps> & { slots?: number; outage?: Outage } = {}) {
  const logger = createLogger({ service: 'dispatcher', level: 'debug', write: (line) => logLines.push(line) });
  const random = () => 0.5;
  const deps = {
    stores: { db, outage, throttle, live: { deliveryChanged: () => {} } },
    time: { clock, random, timing: TIMING },
    report: { logger, quiet: logger, metrics, stats, tracing: undefined },
    slots: createSlots({ slots: count, clock: systemClock, random }),
    owners: createOwners(),
    endpoints: createEndpointCache(db, keys, systemClock),
    enqueue: (deliveries: DeliverRequest[]) => void enqueued.push(...deliveries),
    hurryLine: () => {},
    pauseLine: () => {},
    followHead: () => {},
    startTrace: createAttemptTraces(undefined),
    sender,
    transformer,
    shutdown: { draining: false },
    onAnswer: () => {},
    jobsOfShard: 0,
  };
  return openDeliver(config, deps, replaced);
}

const deliverWith = (given: Parameters<typeof openDeliverWith>[0] = {}) => openDeliverWith(given).process;

async function newDelivery(
  given: Parameters<typeof insertDelivery>[2] = {},
  payload: Buffer = body,
): Promise<DeliveryRow> {
  const delivery = await insertDelivery(db, endpoint, given);
  const sealed = seal(keys, payload, sealContext.payload(delivery.eventId));
  await db.$executeRaw`update event set payload = ${sealed} where id = ${delivery.eventId}::uuid`;
  return delivery;
}

/** Settles over a connection that is cut once, before the reply to a settle that has taken effect. */
async function settleOverLossyConnection() {
  let state: 'before' | 'sent' | 'cut' = 'before';
  const gate = await startTcpGate(database.databaseUrl, {
    inspect: () => ({
      toTarget(chunk) {
        if (state === 'before' && chunk.includes('insert into attempt')) state = 'sent';
        return true;
      },
      fromTarget() {
        if (state !== 'sent') return true;
        state = 'cut';
        return false;
      },
    }),
  });
  const own = createDb({ databaseUrl: gate.url, maxConnections: 1, onIdleError: () => {} });
  return {
    settle: createSettleWithRetry(own, { warn: () => {} }),
    async close() {
      expect(state).toBe('cut');
      await own.$disconnect();
      await gate.close();
    },
  };
}

const read = ({ deliveryId }: DeliveryRow) => db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });
const attemptsOf = ({ deliveryId }: DeliveryRow) => db.attempt.count({ where: { deliveryId } });

test('an answer is sealed, and an empty body is kept as it is', async () => {
  const bodies = [];
  for (const body of ['', 'seen']) {
    receiver.respondWith(() => ({ body }));
    const delivery = await newDelivery();
    const { deliveryId } = delivery;
    await deliverWith()(delivery);
    bodies.push(await db.attempt.findFirstOrThrow({ where: { deliveryId } }));
  }
  const [empty, other] = bodies;
  expect([empty?.responseBodySealed?.length, empty?.responseHeadersSealed?.length]).toEqual([0, expect.any(Number)]);
  const opened = open(keys, other?.responseBodySealed ?? new Uint8Array(), sealContext.responseBody(String(other?.id)));
  expect(opened).toEqual({ kind: 'opened', plaintext: Buffer.from('seen') });
});

describe('the statistics', () => {
  const taken = () => stats.take().map(({ of, counts }) => ({ ...of, ...counts }));
  const { endpointId: _, ...none } = {
    endpointId: '',
    ingested: 0,
    attempts: 0,
    succeeded: 0,
    failed: 0,
    delivered: 0,
  };
  const ended = { endedFailed: 0, deadLettered: 0 };

  test('count an attempt and the end of its delivery once, however often its job comes', async () => {
    const delivery = await newDelivery();
    const deliver = deliverWith();
    await Promise.all([deliver(delivery), deliver(delivery)]);
    const { endpointId } = endpoint;
    expect(taken()).toEqual([{ endpointId, ...none, ...ended, attempts: 1, succeeded: 1, delivered: 1 }]);
    const [ofDay] = stats.takeAttemptBytes().values();
    expect([...(ofDay?.keys() ?? [])]).toEqual([endpoint.workspaceId]);
    expect(ofDay?.get(endpoint.workspaceId)).toBeGreaterThan(0);
  });

  test('count each failed attempt, and a dead letter at its end', async () => {
    receiver.respondWith(() => ({ status: 500 }));
    await deliverWith({ settings: { ...settings, retrySchedule: [] } })(await newDelivery());
    const { endpointId } = endpoint;
    expect(taken()).toEqual([{ endpointId, ...none, ...ended, attempts: 1, failed: 1, deadLettered: 1 }]);
  });

  test.each([
    ['a dead letter', 500, { failed: 1, deadLettered: 1 }],
    ['a delivered one', 200, { succeeded: 1, delivered: 1 }],
  ])('count %s once when the reply to its settle was lost', async (_case, status, counts) => {
    receiver.respondWith(() => ({ status }));
    const lossy = await settleOverLossyConnection();
    const delivery = await newDelivery();
    await deliverWith({ settle: lossy.settle, settings: { ...settings, retrySchedule: [] } })(delivery);
    await lossy.close();
    const { endpointId } = endpoint;
    expect(taken()).toEqual([{ endpointId, ...none, ...ended, attempts: 1, ...counts }]);
    expect(await attemptsOf(delivery)).toBe(1);
  });

  test('count a delivery that its claim ended, and leave out tests', async () => {
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isActive: false } });
    const tested = await newDelivery();
    await db.delivery.update({ where: { id: tested.deliveryId }, data: { isTest: true } });
    const deliver = deliverWith();
    await deliver(await newDelivery());
    await deliver(tested);
    expect(taken()).toEqual([{ endpointId: endpoint.endpointId, ...none, ...ended, endedFailed: 1 }]);
  });
});

test('the delay of the first attempt of a scheduled event counts from its time, and not from its acceptance', async () => {
  const delivery = await newDelivery({ key: newUuid(new Date(Date.now() - 3_600_000)) });
  await db.event.update({ where: { id: delivery.eventId }, data: { deliverAt: new Date() } });
  const metrics = createMetrics();
  await deliverWith({ metrics })(delivery);
  const delays = await metrics.registry.getSingleMetricAsString('posthorn_first_attempt_delay_seconds');
  expect(delays).toContain('posthorn_first_attempt_delay_seconds_bucket{le="1800"} 1');
});

describe('a job', () => {
  test('sends its delivery and settles it; a later or repeated job finds nothing to do', async () => {
    const delivery = await newDelivery();
    const deliver = deliverWith();
    await Promise.all([deliver(delivery), deliver(delivery), deliver(delivery)]);
    await deliver(delivery);
    expect(receiver.requests.map((request) => request.body)).toEqual([body]);
    expect(await read(delivery)).toMatchObject({ status: 'delivered', totalAttempts: 1 });
    expect(enqueued).toEqual([]);
  });

  test('whose delivery is leased by another worker is enqueued once for the end of that lease: the worker may have died', async () => {
    const delivery = await newDelivery({ status: 'delivering', generation: 4, dueInSeconds: 3 });
    const deliver = deliverWith();
    await deliver(delivery);
    await deliver(delivery);
    expect([receiver.requests, enqueued]).toEqual([[], []]);
    await waitFor(() => enqueued.length > 0, { what: 'the end of the lease' });
    const [request, ...others] = enqueued;
    const { deliveryId, eventId } = delivery;
    expect(request).toMatchObject({ deliveryId, eventId, generation: 4, round: expect.any(Number), delayMs: 0 });
    expect(request?.mode).toBe('expired_lease');
    expect(others).toEqual([]);
    await deliver(delivery);
    expect(receiver.requests).toHaveLength(1);
  });

  test('whose attempt fails sets the next step and enqueues it, under the row’s generation', async () => {
    receiver.respondWith(() => ({ status: 500 }));
    const delivery = await newDelivery();
    await deliverWith()(delivery);
    const { generation, status } = await read(delivery);
    expect(status).toBe('scheduled_retry');
    const { deliveryId, eventId, endpointId, workspaceId } = delivery;
    expect(enqueued).toEqual([{ deliveryId, eventId, endpointId, workspaceId, generation, delayMs: 60_000 }]);
  });

  test('whose settle got no reply enqueues the next step', async () => {
    receiver.respondWith(() => ({ status: 500 }));
    const lossy = await settleOverLossyConnection();
    const delivery = await newDelivery();
    await deliverWith({ settle: lossy.settle })(delivery);
    await lossy.close();
    const { generation } = await read(delivery);
    expect(enqueued).toEqual([expect.objectContaining({ deliveryId: delivery.deliveryId, generation })]);
  });

  test('sets no retry after the end of retention', async () => {
    receiver.respondWith(() => ({ status: 500 }));
    const young = lowestKeyAt(new Date(Date.now() - 86_400_000 + 30_000)).replace(/0$/, '1');
    const delivery = await newDelivery({ key: young });
    await deliverWith({ settings: { ...settings, retentionDays: 1 } })(delivery);
    expect(await read(delivery)).toMatchObject({ status: 'dead_letter', failureReason: 'retries_exhausted' });
    expect(enqueued).toEqual([]);
  });

  test('writes no payload, secret or credential into the log', async () => {
    await deliverWith()(await newDelivery());
    expect(logLines.join()).toContain('delivery.attempted');
    expect(logLines.join()).not.toMatch(/canary|whsec_|Basic /);
  });
});

describe('nothing is sent, and no attempt spent', () => {
  test.each([
    [
      'payload_expired',
      'the event is gone',
      (row: DeliveryRow) => db.$executeRaw`delete from event where id = ${row.eventId}::uuid`,
    ],
    [
      'payload_unreadable',
      'the payload cannot be opened',
      (row: DeliveryRow) => db.$executeRaw`update event set payload = 'x'::bytea where id = ${row.eventId}::uuid`,
    ],
    [
      'invalid_request',
      'no secret of the endpoint can be opened',
      (row: DeliveryRow) =>
        db.$executeRaw`update signing_secret set sealed = 'x'::bytea where endpoint_id = ${row.endpointId}::uuid`,
    ],
  ] as const)('%s: %s', async (failureReason, _case, spoil) => {
    const delivery = await newDelivery();
    await spoil(delivery);
    await deliverWith()(delivery);
    expect(await read(delivery)).toMatchObject({ status: 'failed', failureReason, totalAttempts: 0 });
    expect([await attemptsOf(delivery), receiver.requests.length]).toEqual([0, 0]);
  });

  test('payload_expired: the retention has ended', async () => {
    const delivery = await newDelivery();
    await deliverWith({ settings: { ...settings, retentionDays: 0 } })(delivery);
    expect(await read(delivery)).toMatchObject({ status: 'failed', failureReason: 'payload_expired' });
    expect(receiver.requests).toEqual([]);
  });
});

/** Sets the endpoint's limits and a new revision, which every cache must load. */
const setLimits = (config: object) =>
  db.endpoint.update({
    where: { id: endpoint.endpointId },
    data: { config, version: { increment: 1 } },
  });

/**
 * Deferred or released: nothing was sent, no attempt was spent, and the delivery is enqueued under its new generation.
 */
async function expectLater(delivery: DeliveryRow, reason: string, metrics: ReturnType<typeof createMetrics>) {
  const row = await read(delivery);
  expect(row).toMatchObject({ status: 'pending', totalAttempts: 0, leaseToken: null });
  expect(row.generation).toBeGreaterThan(0);
  expect(enqueued).toContainEqual(
    expect.objectContaining({ deliveryId: delivery.deliveryId, eventId: delivery.eventId, generation: row.generation }),
  );
  expect(await metrics.registry.getSingleMetricAsString('posthorn_deferred_total')).toContain(`reason="${reason}"`);
}

/** Nothing was sent, no attempt was spent, and the delivery waits in its endpoint's line, without a job. */
async function expectInLine(delivery: DeliveryRow, reason: string, metrics: ReturnType<typeof createMetrics>) {
  const row = await read(delivery);
  expect(row).toMatchObject({ status: 'pending', totalAttempts: 0, leaseToken: null });
  expect([isInLine(row.dueAt), enqueued]).toEqual([true, []]);
  expect(await metrics.registry.getSingleMetricAsString('posthorn_deferred_total')).toContain(`reason="${reason}"`);
}

test('the rows of each claim are counted, and rows that another dispatcher has claimed are not', async () => {
  const [ours, theirs] = [createMetrics(), createMetrics()];
  const deliveries = await Promise.all(Array.from({ length: 5 }, () => newDelivery()));
  for (const metrics of [ours, theirs]) {
    const deliver = deliverWith({ metrics });
    await Promise.all(deliveries.map((delivery) => deliver(delivery)));
  }
  const counted = async (name: 'sum' | 'count') => {
    const texts = [ours, theirs].map(({ registry }) => registry.getSingleMetricAsString('posthorn_claimed_rows'));
    const ofName = new RegExp(`^posthorn_claimed_rows_${name} (\\d+)$`, 'm');
    return (await Promise.all(texts)).map((text) => Number(ofName.exec(text)?.[1]));
  };
  expect(await counted('sum')).toEqual([5, 0]);
  // They asked at the same time, so one statement claims several.
  for (const statements of await counted('count')) expect(statements).toBeLessThan(5);
});

describe('admission', () => {
  const rateLimit = { limit: 1, periodSeconds: 100 };

  test('lets a delivery over its endpoint’s rate enter the endpoint’s line, without a claim and without a job', async () => {
    await setLimits({ rateLimit });
    const [first, second] = [await newDelivery(), await newDelivery()];
    const metrics = createMetrics();
    const deliver = deliverWith({ metrics });
    await deliver(first);
    await deliver(second);
    expect(receiver.requests).toHaveLength(1);
    await expectInLine(second, 'rate_limit', metrics);
    const line = await db.endpointLine.findUniqueOrThrow({ where: { endpointId: endpoint.endpointId } });
    expect(line.nextAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(await metrics.registry.getSingleMetricAsString('posthorn_claims_total')).toContain('{result="claimed"} 1');
  });

  test('releases its slots once the attempt has ended, with any outcome', async () => {
    await setLimits({ maxConcurrency: 1 });
    const deliver = deliverWith({ slots: 1 });
    receiver.respondWith((_request, nth) => ({ status: nth % 2 === 0 ? 200 : 500 }));
    for (let n = 1; n <= 4; n += 1) {
      const delivery = await newDelivery();
      // Nobody awaits the release of the shared slot, so try until it has happened.
      await waitFor(
        async () => {
          await db.$executeRaw`update delivery set due_at = now() where id = ${delivery.deliveryId}::uuid`;
          await deliver(delivery);
          return (await attemptsOf(delivery)) === 1;
        },
        { what: `attempt ${n}` },
      );
    }
    const gone = { ...(await newDelivery()), deliveryId: randomUUID() };
    await deliver(gone);
    await waitFor(() => throttle.takeSlot(endpoint.endpointId, { holder: 'test', max: 1, leaseMs: 1 }), {
      what: 'the slot to be free',
    });
  });

  test('is repeated if the endpoint’s limits changed after it: the lease is released, and the next job obeys the new limits', async () => {
    const deliver = deliverWith();
    await deliver(await newDelivery());
    // The cache has the endpoint without limits, and does not load it again.
    await setLimits({ rateLimit });
    const delivery = await newDelivery();
    const metrics = createMetrics();
    const counted = deliverWith({
      metrics,
      admit: async () => ({ kind: 'admitted', endpointRevision: 'an earlier one', release() {} }),
    });
    await counted(delivery);
    await expectLater(delivery, 'limits_changed', metrics);
    expect(enqueued.at(-1)?.delayMs).toBe(0);
    expect(receiver.requests).toHaveLength(1);
    await deliver(await newDelivery());
    await deliver(delivery);
    expect(receiver.requests).toHaveLength(2);
    expect(await read(delivery)).toMatchObject({ status: 'delivered', totalAttempts: 1 });
    const next = await newDelivery();
    await deliver(next);
    await waitFor(async () => (await read(next)).generation > 0, { what: 'the limit to be obeyed' });
    expect(receiver.requests).toHaveLength(2);
  });

  test('is not repeated if the endpoint changed but has no limits', async () => {
    const deliver = deliverWith();
    await deliver(await newDelivery());
    await setLimits({ headers: { 'x-new': 'yes' } });
    await deliver(await newDelivery());
    expect(receiver.requests[1]?.headers).toMatchObject({ 'x-new': 'yes' });
    expect(enqueued).toEqual([]);
  });
});

test('a lease that has ended is not taken over before the results that this process keeps are written', async () => {
  const outage = createOutage(systemClock);
  const deliver = deliverWith({ outage });
  const delivery = await newDelivery({ status: 'delivering', leaseToken: randomUUID(), dueInSeconds: -1 });
  const written = outage.keepResults();
  await deliver(delivery);
  expect([receiver.requests, await read(delivery)]).toMatchObject([[], { status: 'delivering' }]);
  written();
  await waitFor(() => enqueued.length === 1, { what: 'the delivery to be enqueued again' });
  await deliver(delivery);
  expect(await read(delivery)).toMatchObject({ status: 'delivered' });
});

describe('before the request', () => {
  test('a pause longer than the lease’s margin releases the lease: it may expire before the attempt ends', async () => {
    const delivery = await newDelivery();
    const metrics = createMetrics();
    let pausedMs = 0;
    const clock = { now: systemClock.now, monotonicMs: () => pausedMs };
    const ledger = createLedgerBatches(db, { defaultTimeoutSeconds: 15 });
    const pausedFor = (ms: number): DeliverDeps['claim'] => {
      return async (request) => {
        const answer = await ledger.claim(request);
        if (answer.kind === 'claimed') pausedMs = answer.askedAtMs + ms;
        return answer;
      };
    };
    await deliverWith({ clock, claim: pausedFor(5_001), metrics })(delivery);
    await expectLater(delivery, 'stalled', metrics);
    expect(receiver.requests).toEqual([]);
    await deliverWith({ clock, claim: pausedFor(4_999) })(delivery);
    expect(await read(delivery)).toMatchObject({ status: 'delivered', totalAttempts: 1 });
  });

  test('nothing is sent in the last second of an agent’s subscription, and an attempt ends a second before its end', async () => {
    const ledger = createLedgerBatches(db, { defaultTimeoutSeconds: 15 });
    const livesFor = (lifeMs: number): DeliverDeps['claim'] => {
      return async (request) => {
        const answer = await ledger.claim(request);
        return answer.kind === 'claimed' ? { ...answer, lifeMs } : answer;
      };
    };
    const [late, cut] = [await newDelivery(), await newDelivery()];
    const metrics = createMetrics();
    await deliverWith({ claim: livesFor(1_000), metrics })(late);
    expect(receiver.requests).toEqual([]);
    await expectLater(late, 'subscription_lapsed', metrics);
    receiver.respondWith(() => ({ raw: () => {} }));
    await deliverWith({ claim: livesFor(2_500) })(cut);
    const [attempt] = await db.attempt.findMany({ where: { deliveryId: cut.deliveryId } });
    // This is less than the endpoint's timeout.
    expect(attempt).toMatchObject({
      errorCode: 'timeout',
      errorMessage: expect.stringMatching(/ within [01](\.\d+)? s$/),
    });
  });

  test('a suspension of the host releases the lease, although the monotonic clock stood still', async () => {
    const delivery = await newDelivery();
    const metrics = createMetrics();
    const ledger = createLedgerBatches(db, { defaultTimeoutSeconds: 15 });
    const claim: DeliverDeps['claim'] = async (request) => {
      const answer = await ledger.claim(request);
      return answer.kind === 'claimed' ? { ...answer, askedAtWallMs: answer.askedAtWallMs - 3_600_000 } : answer;
    };
    await deliverWith({ claim, metrics })(delivery);
    await expectLater(delivery, 'stalled', metrics);
    expect(receiver.requests).toEqual([]);
  });

  test('a timeout that is raised after the claim releases the lease, which was made for the shorter one', async () => {
    const delivery = await newDelivery();
    const metrics = createMetrics();
    const ledger = createLedgerBatches(db, { defaultTimeoutSeconds: 15 });
    const claim: DeliverDeps['claim'] = async (request) => {
      const answer = await ledger.claim(request);
      await db.endpoint.update({
        where: { id: endpoint.endpointId },
        data: { timeoutSeconds: 60, version: { increment: 1 } },
      });
      return answer;
    };
    // A process that has not loaded the endpoint before the claim.
    const admit: DeliverDeps['admit'] = async () => ({ kind: 'admitted', endpointRevision: undefined, release() {} });
    await deliverWith({ admit, claim, metrics })(delivery);
    await expectLater(delivery, 'limits_changed', metrics);
    expect(receiver.requests).toEqual([]);
    await deliverWith()(delivery);
    expect(await read(delivery)).toMatchObject({ status: 'delivered', totalAttempts: 1 });
  });

  test('a fault of the service releases the lease, and the delivery is due again after 5 s', async () => {
    const delivery = await newDelivery({ lostLeases: 1 });
    const metrics = createMetrics();
    const isAway = () => Promise.reject(new Error('Postgres is away'));
    const endpoints = { atRevision: isAway, isAtRevision: isAway };
    await deliverWith({ endpoints, metrics })(delivery);
    await expectLater(delivery, 'store_away', metrics);
    expect(enqueued).toEqual([expect.objectContaining({ delayMs: 5_000 })]);
    expect(await read(delivery)).toMatchObject({ lostLeases: 1 });
  });

  test('a delivery whose endpoint’s breaker is open enters the endpoint’s line', async () => {
    const openUntil = new Date(Date.now() + 3_600_000);
    await db.endpointHealth.create({ data: { endpointId: endpoint.endpointId, consecutiveFailures: 10, openUntil } });
    const delivery = await newDelivery();
    const metrics = createMetrics();
    await deliverWith({ metrics })(delivery);
    await expectInLine(delivery, 'breaker', metrics);
    expect(receiver.requests).toEqual([]);
  });
});

test('an endpoint whose row is locked does not keep a 410 from being settled within its lease', async () => {
  const delivery = await newDelivery();
  let aheadMs = 0;
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
  receiver.respondWith(() => {
    // Less is left of the lease than a settle may take.
    aheadMs = 18_500;
    return { status: 410 };
  });
  const isSettled = async () => (await read(delivery)).status === 'failed';
  let deactivated = false;
  const lockedUntilSettled = async () => {
    await waitFor(isSettled, { what: 'the settle' });
    deactivated = true;
    return true;
  };
  await deliverWith({ clock, disableEndpoint: lockedUntilSettled })(delivery);
  expect([await isSettled(), deactivated, receiver.requests.length]).toEqual([true, true, 1]);
});

describe('at shutdown', () => {
  test('a lease whose request was not sent is released, due now, and enqueued for another worker', async () => {
    const delivery = await newDelivery({ status: 'scheduled_retry', scheduleStep: 2, totalAttempts: 2 });
    await deliverWith({ shutdown: { draining: true } })(delivery);
    expect(await read(delivery)).toMatchObject({ status: 'scheduled_retry', scheduleStep: 2, totalAttempts: 2 });
    expect(enqueued).toEqual([expect.objectContaining({ deliveryId: delivery.deliveryId, generation: 1, delayMs: 0 })]);
    expect(receiver.requests).toEqual([]);
  });

  test('an attempt that is still open when the window ends is aborted and released, with no attempt spent', async () => {
    receiver.respondWith(() => ({ raw: () => {} }));
    const own = openLoopbackSender(receiver);
    const delivery = await newDelivery();
    const delivering = deliverWith({ sender: own })(delivery);
    await receiver.received(1);
    own.abortAll();
    await delivering;
    own.close();
    expect(await read(delivery)).toMatchObject({
      status: 'pending',
      totalAttempts: 0,
      leaseToken: null,
      generation: 1,
    });
    expect(await attemptsOf(delivery)).toBe(0);
    expect(enqueued).toEqual([expect.objectContaining({ deliveryId: delivery.deliveryId, generation: 1, delayMs: 0 })]);
    receiver.respondWith(() => ({}));
    await deliverWith()(delivery);
    expect(await read(delivery)).toMatchObject({ status: 'delivered', totalAttempts: 1 });
    expect(receiver.requests.map((request) => request.headers['webhook-attempt'])).toEqual(['1', '1']);
  });
});

test('a 410 whose endpoint cannot be deactivated at once is settled, and the endpoint is deactivated afterwards', async () => {
  receiver.respondWith(() => ({ status: 410 }));
  const delivery = await newDelivery();
  let calls = 0;
  const faulty: DeliverDeps['disableEndpoint'] = async (input) => {
    calls += 1;
    if (calls === 1) throw new Error('Postgres is away');
    expect(await read(delivery)).toMatchObject({ status: 'failed', failureReason: 'gone' });
    return disableEndpoint(db, input);
  };
  await deliverWith({ disableEndpoint: faulty })(delivery);
  const row = await db.endpoint.findUniqueOrThrow({ where: { id: endpoint.endpointId } });
  expect(row).toMatchObject({ isActive: false, disabledReason: 'gone' });
});

test('a 410 from a URL that has since been replaced leaves the endpoint active', async () => {
  const delivery = await newDelivery();
  receiver.respondWith(async () => {
    const data = { url: 'https://corrected.test/', version: { increment: 1 } };
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data });
    return { status: 410 };
  });
  await deliverWith()(delivery);
  expect(await read(delivery)).toMatchObject({ status: 'failed', failureReason: 'gone' });
  expect(await db.endpoint.findUniqueOrThrow({ where: { id: endpoint.endpointId } })).toMatchObject({ isActive: true });
});

test('the retention of an event is measured by Postgres’ clock, however wrong the process’ clock is', async () => {
  const ahead = { ...systemClock, now: () => new Date(Date.now() + 8 * 86_400_000) };
  const delivery = await newDelivery();
  await deliverWith({ clock: ahead })(delivery);
  expect(await read(delivery)).toMatchObject({ status: 'delivered' });
});

test('isolated deliveries are attempted one at a time; jobs beyond those that may wait are left to the reconciler', async () => {
  const suspects = await Promise.all([1, 2, 3].map(() => newDelivery({ lostLeases: 2 })));
  let [open, most] = [0, 0];
  const watched: Pick<Sender, 'send'> = {
    async send(request) {
      open += 1;
      most = Math.max(most, open);
      const result = await sender.send(request);
      open -= 1;
      return result;
    },
  };
  const deliver = deliverWith({ sender: watched, settings: { ...settings, maxWaitingIsolated: 1 } });
  await Promise.all(suspects.map((suspect) => deliver({ ...suspect, mode: 'isolated' })));
  const statuses = await Promise.all(suspects.map(async (suspect) => (await read(suspect)).status));
  expect(statuses).toEqual(['delivered', 'delivered', 'pending']);
  expect(most).toBe(1);
});

test('an isolated delivery that is deferred stays isolated', async () => {
  const suspect = await newDelivery({ lostLeases: 2 });
  await deliverWith({ shutdown: { draining: true } })({ ...suspect, mode: 'isolated' });
  expect(enqueued).toEqual([expect.objectContaining({ deliveryId: suspect.deliveryId, mode: 'isolated' })]);
});

describe('large payloads', () => {
  const BYTES = 32_768;
  const SEALED_BYTES = seal(keys, Buffer.alloc(BYTES), 'size').length;
  const answered = {
    kind: 'response' as const,
    ...{ status: 200, headers: {}, body: Buffer.alloc(0), truncated: false, durationMs: 1 },
    ...{ timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null }, remoteAddress: null },
  };

  test('of 200 deliveries whose endpoint is slow take no more memory than they may, and all are delivered', async () => {
    const admit = async () => ({ kind: 'admitted', endpointRevision: undefined, release: () => {} }) as const;
    const maxPayloads = 20;
    let [held, mostHeld, bytesOfClaims] = [0, 0, 0];
    let answer = () => {};
    const isAnswering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const ledger = createLedgerBatches(db, { defaultTimeoutSeconds: 15 });
    const metrics = createMetrics();
    const deliver = deliverWith({
      admit,
      metrics,
      // A workspace takes half of the memory, and leaves as much to others.
      payloadMemory: createPayloadMemory({ maxBytes: 2 * maxPayloads * SEALED_BYTES }),
      async claim(request) {
        const claim = await ledger.claim(request);
        if (claim.kind === 'claimed') bytesOfClaims += claim.event?.payload?.length ?? 0;
        return claim;
      },
      sender: {
        async send({ body: sent }) {
          held += sent.length;
          mostHeld = Math.max(mostHeld, held);
          await isAnswering;
          held -= sent.length;
          return answered;
        },
      },
    });
    const large = Buffer.alloc(BYTES, 'a');
    const deliveries: DeliveryRow[] = [];
    for (let n = 0; n < 200; n += 1) deliveries.push(await newDelivery({}, large));
    const delivering = deliveries.map((delivery) => deliver(delivery));
    await waitFor(() => enqueued.length === deliveries.length - maxPayloads, { what: 'the others to be deferred' });
    const [deferred] = enqueued;
    const one = deliveries.find(({ deliveryId }) => deliveryId === deferred?.deliveryId);
    if (one === undefined) throw new Error('none was deferred');
    await expectLater(one, 'payload_memory', metrics);
    answer();
    await Promise.all(delivering);
    for (let jobs = enqueued.splice(0); jobs.length > 0; jobs = enqueued.splice(0)) {
      const ids = jobs.map(({ deliveryId }) => deliveryId);
      await db.$executeRaw`update delivery set due_at = now() where id = any(${ids}::uuid[])`;
      await Promise.all(jobs.map((job) => deliver(job)));
    }
    expect({ mostHeld, bytesOfClaims }).toEqual({ mostHeld: maxPayloads * BYTES, bytesOfClaims: 0 });
    const { endpointId } = endpoint;
    expect(await db.delivery.count({ where: { endpointId, status: 'delivered', totalAttempts: 1 } })).toBe(200);
  });

  test('whose event retention has deleted since the claim end their delivery', async () => {
    const delivery = await newDelivery({}, Buffer.alloc(BYTES, 'a'));
    await deliverWith({ readLargePayload: async () => undefined })(delivery);
    expect(await read(delivery)).toMatchObject({ status: 'failed', failureReason: 'payload_expired' });
  });
});

describe('an attempt under an offer', () => {
  const options = { defaultTimeoutSeconds: 15 };
  const leaseToken = randomUUID();

  /**
   * A delivery as acceptance creates it, and what its taker knows about it. `endsInSeconds`: when the offer ends,
   * counted from when its taker read it.
   */
  async function offered(endsInSeconds = 3): Promise<ClaimedDelivery & DeliveryRow> {
    const delivery = await newDelivery({ status: 'delivering', leaseToken, lostLeases: -1, dueInSeconds: 3 });
    const [claim] = await takeOffers(db, { deliveries: [delivery], leaseToken });
    if (claim === undefined) throw new Error('the offer was not taken');
    await db.$executeRaw`
      update delivery set leased_until = now() + make_interval(secs => ${endsInSeconds}::float8)
      where id = ${delivery.deliveryId}::uuid`;
    return { ...delivery, ...claim, offerLeftMs: 1_000 * endsInSeconds };
  }

  const attempt = (claim: ClaimedDelivery, given: Partial<DeliverDeps> = {}) => {
    const { deliveryId, eventId, endpointId, workspaceId } = claim;
    const job = { deliveryId, eventId, endpointId, workspaceId };
    const trace = createAttemptTraces(undefined)()(claim);
    return openDeliverWith(given).attempt(claim, { job, admitted: { endpointRevision: undefined }, trace });
  };

  test('that ends within it writes no lease, and delivers', async () => {
    let leases = 0;
    const claim = await offered();
    await attempt(claim, {
      leaseOffer: async () => {
        leases += 1;
        return true;
      },
    });
    expect(await read(claim)).toMatchObject({ status: 'delivered', lostLeases: 0, leaseToken: null });
    expect([leases, receiver.requests.length]).toEqual([0, 1]);
  });

  test('that takes longer gets the lease that a claim would have made', async () => {
    const claim = await offered(1.05);
    const { leaseOffer } = createLedgerBatches(db, options);
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let release = () => {};
    const isRead = new Promise<void>((resolve) => {
      release = resolve;
    });
    const attempted = attempt(claim, {
      leaseOffer: async (offer) => {
        const held = await leaseOffer(offer);
        answer();
        return held;
      },
      sender: {
        send: async (sent) => {
          await isRead;
          return sender.send(sent);
        },
      },
    });
    await isAnswered;
    const [row] = await db.$queryRaw<{ seconds: number; lost: number }[]>`
      select extract(epoch from leased_until - now())::float8 as seconds, lost_leases as lost from delivery
      where id = ${claim.deliveryId}::uuid`;
    release();
    expect(row?.seconds).toBeGreaterThan(15);
    expect(row?.lost).toBe(0);
    await attempted;
    expect(await read(claim)).toMatchObject({ status: 'delivered' });
  });

  test('whose process stood still is not sent when the delivery was cancelled meanwhile', async () => {
    const claim = await offered(-1);
    expect(await cancelDelivery(db, claim.deliveryId)).toMatchObject({ kind: 'cancelled' });
    await attempt(claim);
    expect(receiver.requests).toEqual([]);
    expect(await read(claim)).toMatchObject({ status: 'failed', failureReason: 'cancelled', totalAttempts: 0 });
  });

  test('whose process stood still is not sent a second time when another has sent it meanwhile', async () => {
    const claim = await offered(-1);
    const [second] = await claimDeliveries(db, [claim], options);
    if (second?.kind !== 'claimed') throw new Error('the delivery was not claimed');
    expect(second.lostLeases).toBe(0);
    for (const one of [second, claim]) await attempt(one);
    expect(receiver.requests).toHaveLength(1);
  });

  test('whose process stood still, and that nobody has taken, is sent under a lease of its own', async () => {
    const claim = await offered(-1);
    await attempt(claim);
    expect(receiver.requests).toHaveLength(1);
    expect(await read(claim)).toMatchObject({ status: 'delivered' });
  });
});
