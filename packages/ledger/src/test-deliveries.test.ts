import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { inTransaction } from '@posthorn/db/transaction';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { claimDeliveries } from './claim.ts';
import { type AttemptRecord, settleDeliveries } from './settle.ts';
import {
  cancelTestDelivery,
  claimTestDelivery,
  createTestDelivery,
  endUnfetchedTests,
  type NewTestDelivery,
  TEST_BEGINS_WITHIN_SECONDS,
} from './test-deliveries.ts';

const options = { defaultTimeoutSeconds: 15 };

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
beforeEach(async () => {
  endpoint = await insertEndpoint(db);
});

async function newTest(given: { isPulled?: boolean } = {}): Promise<NewTestDelivery> {
  const { deliveryId, ...ids } = await insertDelivery(db, endpoint);
  await db.delivery.delete({ where: { id: deliveryId } });
  const delivery = { ...ids, deliveryId, eventType: null, ...given };
  await inTransaction(db, (transaction) => createTestDelivery(transaction, delivery));
  return delivery;
}

const read = ({ deliveryId }: NewTestDelivery) => db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });
const claimAsUsual = async (delivery: NewTestDelivery) => (await claimDeliveries(db, [delivery], options))[0];
const openBreaker = () =>
  db.$executeRaw`insert into endpoint_health (endpoint_id, consecutive_failures, failing_since, open_until)
    values (${endpoint.endpointId}::uuid, 12, now(), now() + interval '1 hour')`;
const makeOverdue = ({ deliveryId }: NewTestDelivery) =>
  db.$executeRaw`update delivery set due_at = now() - interval '1 second', leased_until = now() - interval '1 second'
    where id = ${deliveryId}::uuid`;

test('a test is claimed once, with its event, at an inactive endpoint and past an open breaker', async () => {
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isActive: false } });
  await openBreaker();
  const delivery = await newTest();
  const claims = await Promise.all([1, 2].map(() => claimTestDelivery(db, delivery, options)));
  expect(claims.filter((claim) => claim !== undefined)).toMatchObject([
    { deliveryId: delivery.deliveryId, trigger: 'test', attemptNumber: 1, event: { payload: Buffer.from('sealed') } },
  ]);
  expect(await read(delivery)).toMatchObject({ status: 'delivering', isTest: true });
});

test('an ordinary claim leaves a test alone until its time to begin has passed', async () => {
  const delivery = await newTest();
  expect(await claimAsUsual(delivery)).toMatchObject({ kind: 'nothing' });
  const { dueAt } = await read(delivery);
  expect(dueAt?.getTime()).toBeGreaterThan(Date.now() + 1_000 * (TEST_BEGINS_WITHIN_SECONDS - 5));
});

test('a test that did not begin in time cannot be claimed any more; an ordinary claim ends it as cancelled', async () => {
  const delivery = await newTest();
  await makeOverdue(delivery);
  expect(await claimTestDelivery(db, delivery, options)).toBeUndefined();
  expect(await claimAsUsual(delivery)).toMatchObject({ kind: 'ended', reason: 'cancelled' });
  expect(await read(delivery)).toMatchObject({ status: 'failed', failureReason: 'cancelled', dueAt: null });
});

test.each([
  ['closed', async () => 0],
  ['open', openBreaker],
])(
  'a test that lost its lease is ended by an ordinary claim, not sent again; the breaker is %s',
  async (_name, given) => {
    await given();
    const delivery = await newTest();
    await claimTestDelivery(db, delivery, options);
    await makeOverdue(delivery);
    expect(await claimAsUsual(delivery)).toMatchObject({ kind: 'ended', reason: 'retries_exhausted' });
    expect(await read(delivery)).toMatchObject({
      status: 'dead_letter',
      failureReason: 'retries_exhausted',
      dueAt: null,
    });
  },
);

test('a test is cancelled only before it has begun, and is not claimed afterwards', async () => {
  const delivery = await newTest();
  expect(await cancelTestDelivery(db, delivery.deliveryId)).toBe(true);
  expect(await claimTestDelivery(db, delivery, options)).toBeUndefined();
  expect(await read(delivery)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
  const begun = await newTest();
  await claimTestDelivery(db, begun, options);
  expect(await cancelTestDelivery(db, begun.deliveryId)).toBe(false);
});

test('a test that no consumer fetches is cancelled, although its process has died; one in time or leased, and one of a webhook, stay', async () => {
  const tests: NewTestDelivery[] = [];
  for (const isPulled of [true, true, true, false]) tests.push(await newTest({ isPulled }));
  const idOf = (n: number) => tests[n]?.deliveryId ?? '';
  const past = { leasedUntil: new Date(Date.now() - 120_000) };
  await db.delivery.update({ where: { id: idOf(0) }, data: past });
  await db.delivery.update({ where: { id: idOf(2) }, data: { ...past, status: 'delivering' } });
  const { endpointId, workspaceId } = endpoint;
  expect(await endUnfetchedTests(db)).toEqual([{ deliveryId: idOf(0), endpointId, workspaceId }]);
  const rows = await Promise.all(tests.map(read));
  expect(rows.map(({ status }) => status)).toEqual(['failed', 'pending', 'delivering', 'pending']);
  expect(rows[0]).toMatchObject({ failureReason: 'cancelled', dueAt: null, leasedUntil: null });
});

test('a settled test changes no health, and keeps the gathered successes of its endpoint', async () => {
  const delivery = await newTest();
  const claim = await claimTestDelivery(db, delivery, options);
  const { deliveryId, endpointId } = delivery;
  const gathered = new Map([[endpointId, 7]]);
  const next = { status: 'dead_letter', failureReason: 'retries_exhausted' } as const;
  const leaseToken = claim?.leaseToken ?? '';
  await settleDeliveries(db, [{ deliveryId, endpointId, leaseToken, attempt: failedAttempt(), next }], gathered);
  expect(await read(delivery)).toMatchObject({ status: 'dead_letter', totalAttempts: 1 });
  expect(await db.endpointHealth.count({ where: { endpointId } })).toBe(0);
  expect(gathered.get(endpointId)).toBe(7);
});

function failedAttempt(): AttemptRecord {
  return {
    id: randomUUID(),
    number: 1,
    trigger: 'test',
    succeeded: false,
    startedAt: new Date(),
    durationMs: 5,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null },
    url: 'https://receiver.test/',
    requestHeaders: {},
    responseStatus: 500,
    responseHeadersSealed: null,
    responseBodySealed: null,
    responseTruncated: false,
    errorCode: 'http_status',
    errorMessage: 'The endpoint answered with status 500',
    remoteAddress: null,
  };
}
