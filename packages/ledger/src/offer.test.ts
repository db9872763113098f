import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { inTransaction } from '@posthorn/db/transaction';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type DeliveryRow, type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { acceptEvents } from './accept.ts';
import { cancelDelivery, cancelPageOfEvent } from './cancel.ts';
import { claimDeliveries } from './claim.ts';
import { countUsage } from './count-usage.ts';
import { deferDeliveries } from './defer.ts';
import { deliveryIdFor } from './delivery-id.ts';
import { leaseOffers, takeOffers } from './offer.ts';
import { selectedAmong } from './operation-scope.ts';
import { retryDeliveryNow } from './retry-now.ts';
import { isInLine } from './waiting.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

const options = { defaultTimeoutSeconds: 15 };
let endpoint: EndpointRow;
let leaseToken: string;
beforeEach(async () => {
  endpoint = await insertEndpoint(db);
  leaseToken = randomUUID();
});

/**
 * Creates an event's delivery as acceptance does. Without a token, as acceptance does while nobody would take an offer.
 */
async function offer(token = leaseToken): Promise<DeliveryRow> {
  const { eventId, deliveryId: given } = await insertDelivery(db, endpoint);
  await db.delivery.delete({ where: { id: given } });
  await db.event.delete({ where: { id: eventId } });
  const { endpointId, workspaceId, environmentId } = endpoint;
  const deliveryId = deliveryIdFor(eventId, endpointId);
  const { routingRevision } = await db.environment.findUniqueOrThrow({ where: { id: environmentId } });
  const nothing = {
    application_id: undefined,
    endpoint_id: undefined,
    delivery_id: undefined,
    delay_seconds: undefined,
    key: undefined,
    request_hash: undefined,
  };
  const content = {
    content_type: 'application/json',
    sealed_from: 1,
    sealed_size: 6,
    payload_size: 6,
    schema_errors: undefined,
  };
  await acceptEvents(db, {
    events: [
      {
        ...{ id: eventId, workspace_id: workspaceId, environment_id: environmentId, event_type: 'order.created' },
        ...{ ...nothing, ...content, published: true, search_left_out: undefined },
        ...{ routing_revision: routingRevision, payload_retention: 'workspace', has_no_endpoint: false },
      },
    ],
    tokens: [],
    payloads: Buffer.from('sealed'),
    deliveries: [{ id: deliveryId, event_id: eventId, endpoint_id: endpointId, delay_seconds: 0 }],
    leaseToken: token === '' ? undefined : token,
    idempotencyHours: 24,
  });
  return { ...endpoint, deliveryId, eventId };
}

const read = ({ deliveryId }: DeliveryRow) => db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });
const take = (delivery: DeliveryRow, token = leaseToken) =>
  takeOffers(db, { deliveries: [delivery], leaseToken: token });
const lease = ({ deliveryId }: DeliveryRow) => leaseOffers(db, [{ deliveryId, leaseToken }], options);
const claim = async (delivery: DeliveryRow) => (await claimDeliveries(db, [delivery], options))[0];

async function secondsLeft({ deliveryId }: DeliveryRow): Promise<number> {
  const [row] = await db.$queryRaw<{ left: number }[]>`
    select extract(epoch from leased_until - now())::float8 as left from delivery where id = ${deliveryId}::uuid`;
  return row?.left ?? Number.NaN;
}

/** Ends the offer by Postgres' clock, or makes it end after this many seconds. */
async function endOffer({ deliveryId }: DeliveryRow, inSeconds = 0): Promise<void> {
  await db.$executeRaw`
    update delivery set leased_until = now() + make_interval(secs => ${inSeconds}::float8),
      due_at = now() + make_interval(secs => ${inSeconds}::float8) where id = ${deliveryId}::uuid`;
}

const openBreaker = () =>
  db.endpointHealth.create({
    data: { endpointId: endpoint.endpointId, consecutiveFailures: 20, openUntil: new Date(Date.now() + 60_000) },
  });

describe('a delivery that is made where its event is accepted', () => {
  test('is offered for 3 s, and no reader of due deliveries meets it before', async () => {
    const delivery = await offer();
    const row = await read(delivery);
    expect(row).toMatchObject({ status: 'delivering', leaseToken, lostLeases: -1, generation: 0, totalAttempts: 0 });
    expect(row.dueAt).toEqual(row.leasedUntil);
    const left = await secondsLeft(delivery);
    expect(left).toBeGreaterThan(2);
    expect(left).toBeLessThanOrEqual(3);
    expect(await claim(delivery)).toMatchObject({ kind: 'leased' });
  });

  test('is due when nobody would take an offer', async () => {
    const delivery = await offer('');
    expect(await read(delivery)).toMatchObject({ status: 'pending', leaseToken: null, lostLeases: 0 });
    expect(await claim(delivery)).toMatchObject({ kind: 'claimed', attemptNumber: 1 });
  });

  test.each<[string, Parameters<typeof db.endpoint.update>[0]['data']]>([
    ['an inactive endpoint', { isActive: false }],
    ['a deleted endpoint', { deletedAt: new Date() }],
    ['an endpoint with a rate limit', { config: { rateLimit: { limit: 1, periodSeconds: 1 } } }],
    ['an endpoint with a limit of concurrent requests', { config: { maxConcurrency: 2 } }],
  ])('of %s is due, and is not offered', async (_what, data) => {
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data });
    expect(await read(await offer())).toMatchObject({ status: 'pending', leaseToken: null });
  });

  test('of an endpoint whose breaker is open is due, and is not offered', async () => {
    await openBreaker();
    expect(await read(await offer())).toMatchObject({ status: 'pending', leaseToken: null });
  });

  test('of an endpoint from which consumers fetch waits in its line', async () => {
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isPulled: true } });
    const row = await read(await offer());
    expect([row.status, row.isPulled, isInLine(row.dueAt)]).toEqual(['pending', true, true]);
  });

  test('is on the bill, however late its attempt ends', async () => {
    await db.usageCount.updateMany({ data: { countedTo: new Date(Date.now() - 60_000) } });
    await offer();
    await countUsage(db, { lagMs: 0 });
    const usage = await db.applicationUsage.findMany({ where: { workspaceId: endpoint.workspaceId } });
    expect(usage.map(({ deliveries }) => deliveries)).toEqual([1n]);
  });
});

describe('a limit in the config of an endpoint', () => {
  const isLimited = async () => {
    const { isLimited: known } = await db.endpoint.findUniqueOrThrow({ where: { id: endpoint.endpointId } });
    return known;
  };
  const setConfig = (config: object) => db.endpoint.update({ where: { id: endpoint.endpointId }, data: { config } });

  test.each([
    [{ rateLimit: { limit: 5, periodSeconds: 1 } }, true],
    [{ maxConcurrency: 3 }, true],
    [{ rateLimit: null, maxConcurrency: null }, false],
    [{ headers: { 'x-text': '"rateLimit":{' } }, false],
    [{ timeoutSeconds: 5 }, false],
  ])('%j is noted as %s, whichever version writes it', async (config, expected) => {
    await setConfig(config);
    expect(await isLimited()).toBe(expected);
    await setConfig({});
    expect(await isLimited()).toBe(false);
  });
});

describe('an offer', () => {
  test('gives its taker what a claim gives, and writes nothing', async () => {
    const delivery = await offer();
    const before = await read(delivery);
    const [taken] = await take(delivery);
    expect(taken).toMatchObject({
      ...{
        deliveryId: delivery.deliveryId,
        eventId: delivery.eventId,
        ...{ leaseToken, attemptNumber: 1, lostLeases: 0 },
      },
      ...{
        trigger: 'schedule',
        scheduleStep: 0,
        orderingKey: null,
        event: { eventType: 'order.created', isErased: false },
      },
    });
    expect(taken?.offerLeftMs).toBeGreaterThan(1_000);
    expect(await read(delivery)).toEqual(before);
  });

  test('is not taken by another token', async () => {
    expect(await take(await offer(), randomUUID())).toEqual([]);
  });

  test.each([0, 0.9])('is not taken when %s s are left of it', async (seconds) => {
    const delivery = await offer();
    await endOffer(delivery, seconds);
    expect(await take(delivery)).toEqual([]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['inactive', () => db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isActive: false } })],
    ['deleted', () => db.endpoint.update({ where: { id: endpoint.endpointId }, data: { deletedAt: new Date() } })],
    ['failing, with an open breaker', () => openBreaker()],
  ])('is not taken once its endpoint is %s', async (_what, change) => {
    const delivery = await offer();
    await change();
    expect(await take(delivery)).toEqual([]);
  });

  test('that is released is due, and a claim gets it', async () => {
    const delivery = await offer();
    await deferDeliveries(db, [{ deliveryId: delivery.deliveryId, leaseToken, delaySeconds: 0 }]);
    expect(await read(delivery)).toMatchObject({ status: 'pending', leaseToken: null, leasedUntil: null });
    expect(await claim(delivery)).toMatchObject({ kind: 'claimed', lostLeases: 0, attemptNumber: 1 });
  });

  test('that nobody took costs the delivery no lost lease; a lease after it does', async () => {
    const delivery = await offer();
    await endOffer(delivery);
    expect(await claim(delivery)).toMatchObject({ kind: 'claimed', lostLeases: 0 });
    await endOffer(delivery);
    expect(await claim(delivery)).toMatchObject({ kind: 'claimed', lostLeases: 1 });
  });

  test('becomes a lease for the timeout of the endpoint', async () => {
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { timeoutSeconds: 40 } });
    const delivery = await offer();
    expect(await lease(delivery)).toEqual([true]);
    expect(await secondsLeft(delivery)).toBeGreaterThan(40);
    expect(await read(delivery)).toMatchObject({ lostLeases: 0, leaseToken });
  });

  test('that has become a lease is not taken again, if its job runs twice', async () => {
    const delivery = await offer();
    expect(await lease(delivery)).toEqual([true]);
    expect(await take(delivery)).toEqual([]);
  });

  test('that somebody else has taken does not become a lease', async () => {
    const delivery = await offer();
    await endOffer(delivery);
    await claim(delivery);
    expect(await lease(delivery)).toEqual([false]);
  });
});

describe('a delivery whose offer has', () => {
  test('not ended is being delivered: no cancel and no retry changes it', async () => {
    const delivery = await offer();
    expect(await cancelDelivery(db, delivery.deliveryId)).toEqual({ kind: 'in_progress' });
    expect(await inTransaction(db, (transaction) => retryDeliveryNow(transaction, delivery.deliveryId, 10))).toEqual({
      kind: 'in_progress',
    });
  });

  test('ended meets an open breaker as any other delivery: it waits in the line of its endpoint', async () => {
    const delivery = await offer();
    await endOffer(delivery);
    await openBreaker();
    expect(await claim(delivery)).toEqual({ kind: 'breaker_open' });
    const row = await read(delivery);
    expect(row).toMatchObject({ status: 'pending', leaseToken: null, leasedUntil: null, lostLeases: 0, generation: 1 });
    expect(isInLine(row.dueAt)).toBe(true);
  });

  test('ended may be the probe of a breaker', async () => {
    const delivery = await offer();
    await endOffer(delivery);
    await openBreaker();
    await db.endpointHealth.updateMany({
      where: { endpointId: endpoint.endpointId },
      data: { openUntil: new Date(Date.now() - 1_000) },
    });
    expect(await claim(delivery)).toMatchObject({ kind: 'claimed', attemptNumber: 1, lostLeases: 0 });
  });

  test('ended waits: it is cancelled, and whoever held the offer finds nothing', async () => {
    const delivery = await offer();
    await endOffer(delivery);
    expect(await cancelDelivery(db, delivery.deliveryId)).toEqual({ kind: 'cancelled', from: 'delivering' });
    expect(await read(delivery)).toMatchObject({ status: 'failed', failureReason: 'cancelled', leaseToken: null });
    expect([await take(delivery), await lease(delivery)]).toEqual([[], [false]]);
  });

  test('ended is cancelled with its event', async () => {
    const delivery = await offer();
    await endOffer(delivery);
    const { cancelled } = await inTransaction(db, (transaction) =>
      cancelPageOfEvent(transaction, delivery.eventId, '00000000-0000-0000-0000-000000000000'),
    );
    expect(cancelled.map(({ deliveryId }) => deliveryId)).toEqual([delivery.deliveryId]);
  });

  test.each([
    ['ended', true, ['pending']],
    ['not ended', false, ['delivering']],
  ])('%s is selected by operations by what it is', async (_what, hasEnded, expected) => {
    const delivery = await offer();
    if (hasEnded) await endOffer(delivery);
    const range = { after: '00000000-0000-0000-0000-000000000000', end: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
    const selected = [];
    for (const status of ['pending', 'scheduled_retry', 'delivering'] as const) {
      const scope = { workspaceId: endpoint.workspaceId, statuses: [status], missed: false, ...range };
      if ((await selectedAmong(db, scope, [delivery.deliveryId])).size > 0) selected.push(status);
    }
    expect(selected).toEqual(expected);
  });

  test('ended can be retried now', async () => {
    const delivery = await offer();
    await endOffer(delivery);
    const retried = await inTransaction(db, (transaction) => retryDeliveryNow(transaction, delivery.deliveryId, 10));
    expect(retried).toMatchObject({ kind: 'retried', from: 'delivering' });
    expect(await lease(delivery)).toEqual([false]);
  });
});
