import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createDb, type DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { startTcpGate } from '@posthorn/testkit/tcp-gate';
import { cancelDelivery } from './cancel.ts';
import type { ClaimedDelivery } from './claim.ts';
import { countUsage } from './count-usage.ts';
import { createAndClaim, type NewDelivery } from './create.ts';
import { deliveryIdFor } from './delivery-id.ts';
import { erasePayloads } from './erase.ts';
import type { NextState } from './next-state.ts';
import { stopUnwritten } from './pending-fan-out.ts';
import { type AttemptRecord, type Settlement, settleDeliveries } from './settle.ts';
import { readToAttempt, type UnwrittenClaim, writeUnderWay } from './unwritten.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
beforeEach(async () => {
  endpoint = await insertEndpoint(db);
});

/** An event that waits for its fan-out, as the one delivery that it gets. */
async function waitingEvent(at = new Date()): Promise<NewDelivery> {
  const { workspaceId, environmentId, endpointId } = endpoint;
  // Of a millisecond, as every id of an event.
  const eventId = lowestKeyAt(at).slice(0, 13) + randomUUID().slice(13);
  await db.event.create({
    data: {
      ...{ id: eventId, workspaceId, environmentId, eventType: 'order.created', published: true },
      ...{ payload: Buffer.from('sealed'), payloadSize: 6 },
    },
  });
  await db.pendingFanOut.create({ data: { eventId } });
  const deliveryId = deliveryIdFor(eventId, endpointId);
  return { deliveryId, eventId, endpointId, workspaceId, environmentId, eventType: 'order.created' };
}

async function revisionsNow() {
  const { environmentId } = endpoint;
  const { routingRevision } = await db.environment.findUniqueOrThrow({ where: { id: environmentId } });
  return new Map([[environmentId, routingRevision]]);
}

const options = { defaultTimeoutSeconds: 15 };
const readOf = async (...deliveries: NewDelivery[]) =>
  readToAttempt(db, { deliveries, routingRevisions: await revisionsNow(), ...options });

async function readOne(delivery: NewDelivery): Promise<UnwrittenClaim> {
  const [claim] = await readOf(delivery);
  if (claim === undefined) throw new Error('the delivery may not be attempted');
  return claim;
}

/** The same delivery with a row, as the other way makes it. */
async function writtenOne(delivery: NewDelivery): Promise<ClaimedDelivery> {
  const { claimed } = await createAndClaim(db, {
    deliveries: [{ ...delivery, isClaimed: true }],
    events: [delivery],
    routingRevisions: await revisionsNow(),
    ...options,
  });
  const [claim] = claimed;
  if (claim === undefined) throw new Error('the delivery was not claimed');
  return claim;
}

function attempt(succeeded: boolean): AttemptRecord {
  return {
    ...{ id: randomUUID(), number: 1, trigger: 'schedule', succeeded, startedAt: new Date('2026-11-26T10:00:00.123Z') },
    ...{ durationMs: 12, timings: { dnsMs: 1, connectMs: 2, tlsMs: null, ttfbMs: 4 }, url: 'https://receiver.test/' },
    ...{ requestHeaders: { 'webhook-attempt': '1' }, requestBody: null, responseStatus: succeeded ? 200 : 500 },
    ...{ responseHeadersSealed: null, responseBodySealed: null, responseTruncated: false },
    ...{ errorCode: succeeded ? null : 'http_status', errorMessage: succeeded ? null : 'status 500' },
    remoteAddress: '203.0.113.7',
  };
}

const DELIVERED: NextState = { status: 'delivered' };
const RETRY: NextState = { status: 'scheduled_retry', delaySeconds: 300 };

function settlementOf(claim: ClaimedDelivery, next: NextState, record: AttemptRecord | null): Settlement {
  const { deliveryId, endpointId, leaseToken, unwritten } = claim;
  return { deliveryId, endpointId, leaseToken, attempt: record, next, ...(unwritten ? { unwritten } : {}) };
}

const settle = async (claim: ClaimedDelivery, next: NextState, record = attempt(next.status === 'delivered')) =>
  (await settleDeliveries(db, [settlementOf(claim, next, record)]))[0];

const isWaiting = async ({ eventId }: NewDelivery) => (await db.pendingFanOut.count({ where: { eventId } })) === 1;
const rowOf = ({ deliveryId }: NewDelivery) => db.delivery.findUnique({ where: { id: deliveryId } });
const attemptsOf = ({ deliveryId }: NewDelivery) => db.attempt.findMany({ where: { deliveryId } });

describe('the read', () => {
  test('returns what a claim at the creation returns, and leaves the event waiting without a row', async () => {
    const [one, other] = [await waitingEvent(), await waitingEvent()];
    const { unwritten, ...claim } = await readOne(one);
    expect(await isWaiting(one)).toBe(true);
    expect(await rowOf(one)).toBeNull();
    const ofProcess = {
      ...{ leaseToken: expect.any(String), askedAtMs: expect.any(Number), askedAtWallMs: expect.any(Number) },
      eventAgeSeconds: expect.any(Number),
    };
    const { deliveryId, eventId } = one;
    expect(claim).toEqual({ ...(await writtenOne(other)), deliveryId, eventId, ...ofProcess });
  });

  test.each<[string, (delivery: NewDelivery) => Promise<unknown>]>([
    ['no longer waits', ({ eventId }) => db.pendingFanOut.delete({ where: { eventId } })],
    ['was enqueued again', ({ eventId }) => db.pendingFanOut.update({ where: { eventId }, data: { enqueues: 1 } })],
    [
      'may be one that ends its process',
      ({ eventId }) => db.pendingFanOut.update({ where: { eventId }, data: { hasBegun: true } }),
    ],
    [
      'is soon enqueued again',
      ({ eventId }) =>
        db.$executeRaw`update pending_fan_out set due_at = now() - interval '1300 ms' where event_id = ${eventId}::uuid`,
    ],
    [
      'goes to an endpoint with an open breaker',
      ({ endpointId }) =>
        db.endpointHealth.create({
          data: { endpointId, consecutiveFailures: 10, openUntil: new Date(Date.now() + 60_000) },
        }),
    ],
    [
      'is fetched by consumers',
      ({ endpointId }) => db.endpoint.update({ where: { id: endpointId }, data: { isPulled: true } }),
    ],
  ])('leaves out a delivery whose event %s', async (_case, change) => {
    const delivery = await waitingEvent();
    await change(delivery);
    expect(await readOf(delivery)).toEqual([]);
  });

  test('leaves out a delivery that was matched under another revision of the routing', async () => {
    const delivery = await waitingEvent();
    const routingRevisions = new Map([[endpoint.environmentId, randomUUID()]]);
    expect(await readToAttempt(db, { deliveries: [delivery], routingRevisions, ...options })).toEqual([]);
  });
});

describe('the settle', () => {
  test.each<[NextState, boolean]>([
    [DELIVERED, true],
    [RETRY, true],
    [{ status: 'dead_letter', failureReason: 'retries_exhausted' }, true],
    [{ status: 'failed', failureReason: 'gone' }, true],
    [{ status: 'failed', failureReason: 'payload_expired' }, false],
  ])('leaves the row, the attempt and the health as if the row had been there before: %j', async (next, isSent) => {
    const known = async (delivery: NewDelivery) => {
      const row = await rowOf(delivery);
      const health = await db.endpointHealth.findUnique({ where: { endpointId: delivery.endpointId } });
      const raised = await db.operationalEvent.count({ where: { workspaceId: delivery.workspaceId } });
      return {
        row: {
          ...row,
          ...{ id: '', eventId: '', endpointId: '', workspaceId: '', environmentId: '' },
          ...{ deliveredAt: row?.deliveredAt !== null, updatedAt: null, dueAt: row?.dueAt !== null },
        },
        attempts: (await attemptsOf(delivery)).map((one) => ({ ...one, id: '', deliveryId: '', settledAt: null })),
        health: health && { failures: health.consecutiveFailures, attempts: health.windowAttempts },
        raised,
        waits: await isWaiting(delivery),
      };
    };
    const record = () => (isSent ? attempt(next.status === 'delivered') : null);
    const unwritten = await waitingEvent();
    const settled = await settle(await readOne(unwritten), next, record() as AttemptRecord);
    const ofUnwritten = await known(unwritten);
    endpoint = await insertEndpoint(db);
    const written = await waitingEvent();
    expect(settled).toEqual(await settle(await writtenOne(written), next, record() as AttemptRecord));
    expect(ofUnwritten).toEqual(await known(written));
    expect(ofUnwritten.waits).toBe(false);
  });

  test('that is repeated, because its reply was lost, is settled again and writes nothing twice', async () => {
    const delivery = await waitingEvent();
    const settlement = settlementOf(await readOne(delivery), RETRY, attempt(false));
    const [first] = await settleDeliveries(db, [settlement]);
    const [again] = await settleDeliveries(db, [settlement]);
    expect(first).toMatchObject({ kind: 'settled', generation: 1, delayMs: 300_000 });
    expect(again).toMatchObject({ kind: 'settled', generation: 1 });
    expect(await attemptsOf(delivery)).toHaveLength(1);
  });

  test('of deliveries with and without rows in one batch answers each in its place', async () => {
    const [a, b, c] = [await waitingEvent(), await waitingEvent(), await waitingEvent()];
    const settlements = [
      settlementOf(await readOne(a), RETRY, attempt(false)),
      settlementOf(await writtenOne(b), DELIVERED, attempt(true)),
      settlementOf(await readOne(c), DELIVERED, attempt(true)),
    ];
    expect(await settleDeliveries(db, settlements)).toMatchObject([
      { kind: 'settled', delayMs: 300_000 },
      { kind: 'settled', delayMs: null },
      { kind: 'settled', delayMs: null },
    ]);
    expect([await rowOf(a), await rowOf(b), await rowOf(c)]).toMatchObject([
      { status: 'scheduled_retry' },
      { status: 'delivered' },
      { status: 'delivered' },
    ]);
  });

  test('after another process has created the delivery: a success counts, and a failure only stores its attempt', async () => {
    const [failed, succeeded] = [await waitingEvent(), await waitingEvent()];
    const claims = [await readOne(failed), await readOne(succeeded)];
    await writtenOne(failed);
    await writtenOne(succeeded);
    const [ofFailed, ofSucceeded] = claims;
    expect(await settle(ofFailed as ClaimedDelivery, RETRY)).toEqual({ kind: 'stale' });
    expect(await rowOf(failed)).toMatchObject({ status: 'delivering' });
    expect(await settle(ofSucceeded as ClaimedDelivery, DELIVERED)).toMatchObject({ kind: 'settled' });
    expect(await rowOf(succeeded)).toMatchObject({ status: 'delivered' });
    expect([await attemptsOf(failed), await attemptsOf(succeeded)]).toMatchObject([[{}], [{}]]);
  });

  test('of an event that was cancelled meanwhile records the delivery, and the event is not cancelled', async () => {
    const delivery = await waitingEvent();
    const claim = await readOne(delivery);
    const { eventId, workspaceId } = delivery;
    await db.pendingFanOut.delete({ where: { eventId } });
    await db.cancelledEvent.create({ data: { eventId, workspaceId } });
    expect(await settle(claim, DELIVERED)).toMatchObject({ kind: 'settled' });
    expect(await rowOf(delivery)).toMatchObject({ status: 'delivered' });
    expect(await db.cancelledEvent.count({ where: { eventId } })).toBe(0);
  });
});

describe('a cancellation or an erasure of an event that waits', () => {
  test('lets no further attempt begin without a row, and says whether one may be under way', async () => {
    const delivery = await waitingEvent();
    expect(await stopUnwritten(db, delivery.eventId)).toBe(true);
    expect(await readOf(delivery)).toEqual([]);
    expect(await stopUnwritten(db, delivery.eventId)).toBe(false);
  });

  test('notes the event, so that what its attempt stores is erased later', async () => {
    const { eventId } = await waitingEvent();
    await inTransaction(db, (transaction) => erasePayloads(transaction, [eventId]));
    expect(await db.erasedEvent.count({ where: { eventId } })).toBe(1);
  });
});

describe('the row of an attempt that takes long', () => {
  test('is leased for the timeout of the endpoint, ends the waiting, and is settled by its lease', async () => {
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { timeoutSeconds: 40 } });
    const delivery = await waitingEvent();
    const claim = await readOne(delivery);
    const { deliveryId, endpointId, leaseToken, unwritten } = claim;
    await writeUnderWay(db, [{ deliveryId, endpointId, leaseToken, ...unwritten }]);
    expect(await isWaiting(delivery)).toBe(false);
    const [row] = await db.$queryRaw<{ status: string; seconds: number }[]>`
      select status::text, extract(epoch from leased_until - updated_at)::int as seconds from delivery
      where id = ${deliveryId}::uuid`;
    expect(row).toEqual({ status: 'delivering', seconds: 45 });
    expect(await cancelDelivery(db, deliveryId)).toEqual({ kind: 'in_progress' });
    const { unwritten: _, ...withRow } = claim;
    expect(await settle(withRow, DELIVERED)).toMatchObject({ kind: 'settled' });
    expect(await rowOf(delivery)).toMatchObject({ status: 'delivered', totalAttempts: 1, generation: 1 });
  });

  test('is settled by its lease also by a settle that does not know whether it was written', async () => {
    const delivery = await waitingEvent();
    const claim = await readOne(delivery);
    const { deliveryId, endpointId, leaseToken, unwritten } = claim;
    await writeUnderWay(db, [{ deliveryId, endpointId, leaseToken, ...unwritten }]);
    expect(await settle(claim, RETRY)).toMatchObject({ kind: 'settled', delayMs: 300_000 });
    expect(await rowOf(delivery)).toMatchObject({ status: 'scheduled_retry', scheduleStep: 1 });
  });

  test('leaves a row of another process as it is', async () => {
    const delivery = await waitingEvent();
    const claim = await readOne(delivery);
    const other = await writtenOne(delivery);
    const { deliveryId, endpointId, leaseToken, unwritten } = claim;
    await writeUnderWay(db, [{ deliveryId, endpointId, leaseToken, ...unwritten }]);
    expect(await rowOf(delivery)).toMatchObject({ leaseToken: other.leaseToken });
  });
});

// What is wrong today because an attempt may begin before its delivery has a row (docs/adr/0020). Each test names the
// guarantee that is missing, and turns red once it holds: then make it a usual test.
describe('an attempt without a row', () => {
  /** Sets the age of a waiting event by the clock of the transaction, which stands still. */
  const age = (transaction: DbTransaction, { eventId }: NewDelivery, seconds: number) =>
    transaction.$executeRaw`
      update pending_fan_out set due_at = now() - make_interval(secs => ${seconds}::float8) where event_id = ${eventId}::uuid`;

  // Today: the cancel stops only what waits for its fan-out already, and ends the waiting in another transaction. An event
  // whose time comes between the two is attempted, and then answered as cancelled.
  test.failing('does not begin after the cancel of a scheduled event, although its time comes meanwhile', async () => {
    const delivery = await waitingEvent();
    const { eventId, environmentId } = delivery;
    await db.pendingFanOut.delete({ where: { eventId } });
    const later = new Date(Date.now() + 60_000);
    await db.scheduledEvent.create({ data: { eventId, environmentId, deliverAt: later } });
    await stopUnwritten(db, eventId);
    await db.scheduledEvent.delete({ where: { eventId } });
    await db.pendingFanOut.create({ data: { eventId, dueAt: later } });
    expect(await readOf(delivery)).toEqual([]);
  });

  // Today: a cancel from 1.25 s after the acceptance neither stops nor waits for an attempt that began before.
  test.failing('that began 1.2 s after the acceptance is known to a cancel 0.1 s later', async () => {
    const delivery = await waitingEvent();
    const routingRevisions = await revisionsNow();
    const begun = await inTransaction(db, async (transaction) => {
      await age(transaction, delivery, 1.2);
      return readToAttempt(transaction, { deliveries: [delivery], routingRevisions, ...options });
    });
    if (begun.length !== 1) return; // Nothing begins so late: the guarantee holds.
    const mayBeUnderWay = await inTransaction(db, async (transaction) => {
      await age(transaction, delivery, 1.3);
      return stopUnwritten(transaction, delivery.eventId);
    });
    expect(mayBeUnderWay).toBe(true);
  });

  // Today: during a rolling upgrade from a release before it, that release's reconciler enqueues an event after 1 s, and
  // fans it out beside the attempt.
  test.failing('does not begin when a reconciler of the release before it may have taken the event', async () => {
    const delivery = await waitingEvent();
    const routingRevisions = await revisionsNow();
    const begun = await inTransaction(db, async (transaction) => {
      await age(transaction, delivery, 1.1);
      return readToAttempt(transaction, { deliveries: [delivery], routingRevisions, ...options });
    });
    expect(begun).toEqual([]);
  });

  // Today: the settle and the end of the event's cancellation are two commits.
  test.failing('is settled in one commit: no event is cancelled and has a delivered delivery, whatever ends the process', async () => {
    const delivery = await waitingEvent();
    const claim = await readOne(delivery);
    const { eventId, workspaceId } = delivery;
    await db.pendingFanOut.delete({ where: { eventId } });
    await db.cancelledEvent.create({ data: { eventId, workspaceId } });
    const inspect = () => ({
      // The process ends before this statement.
      toTarget: (chunk: Buffer) => !/delete from "public"."cancelled_event"/i.test(chunk.toString('latin1')),
      fromTarget: () => true,
    });
    const gate = await startTcpGate(database.databaseUrl, { inspect });
    const own = createDb({ databaseUrl: gate.url, maxConnections: 1, onIdleError: () => {} });
    const record = attempt(true);
    await settleDeliveries(own, [settlementOf(claim, DELIVERED, record)]).catch(() => undefined);
    await own.$disconnect();
    await gate.close();
    const isCancelled = (await db.cancelledEvent.count({ where: { eventId } })) > 0;
    expect([(await rowOf(delivery))?.status, isCancelled]).toEqual(['delivered', false]);
  });

  // Today: a delivery that is written after the minute of its event was counted is in no count.
  test.failing('that is settled after its minute was counted is on the bill', async () => {
    const delivery = await waitingEvent(new Date(Date.now() - 5_000));
    const claim = await readOne(delivery);
    await db.usageCount.updateMany({ data: { countedTo: new Date(Date.now() - 60_000) } });
    await countUsage(db, { lagMs: 0 });
    await settle(claim, DELIVERED);
    await countUsage(db, { lagMs: 0 });
    const usage = await db.applicationUsage.findMany({ where: { workspaceId: endpoint.workspaceId } });
    expect(usage.map(({ deliveries, attempts }) => [deliveries, attempts])).toEqual([[1n, 1n]]);
  });
});
