import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt, NIL_UUID } from '@posthorn/db/uuid-range';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { deliveryIdFor } from './delivery-id.ts';
import {
  deliveriesOfEvents,
  ERASED_URL,
  eraseAgain,
  eraseDeliveries,
  eraseNames,
  erasePayloads,
  orderedDirectEvents,
} from './erase.ts';
import { afterLease, attemptIdOf } from './lease-outcome.ts';
import { expiredLeases, heldDeliveries, settleLeases } from './settle-leases.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
beforeEach(async () => {
  await db.erasedEvent.deleteMany();
  endpoint = await insertEndpoint(db);
});

const bytes = new Uint8Array([1, 2, 3]);
const CONTENT = {
  requestBody: bytes,
  responseHeadersSealed: bytes,
  responseBodySealed: bytes,
  errorMessage: 'said no',
  acknowledgement: { etag: 'a digest of the body' },
};
const NO_CONTENT = {
  ...{ requestHeaders: {}, requestBody: null, acknowledgement: null },
  ...{ responseHeadersSealed: null, responseBodySealed: null },
};

async function insertAttempt(deliveryId: string, url = 'https://a.test/') {
  const data = {
    deliveryId,
    id: deliveryIdFor(lowestKeyAt(new Date()), randomUUID()),
    number: 1,
    trigger: 'schedule',
    succeeded: false,
  } as const;
  const sent = { startedAt: new Date(), durationMs: 5, url, requestHeaders: { 'x-name': 'Ann' } };
  await db.attempt.create({ data: { ...data, ...sent, ...CONTENT, remoteAddress: '192.0.2.1' } });
}

test('erasing ends open deliveries, also one that is being delivered, and leaves no content of attempts', async () => {
  const open = await insertDelivery(db, endpoint, { status: 'scheduled_retry' });
  const busy = await insertDelivery(db, endpoint, { status: 'delivering' });
  const ended = await insertDelivery(db, endpoint, { status: 'delivered', dueInSeconds: null });
  const ids = [open, busy, ended].map(({ deliveryId }) => deliveryId);
  for (const id of ids) await insertAttempt(id);
  const erased = await inTransaction(db, (transaction) => eraseDeliveries(transaction, ids, 'cancelled'));
  expect(erased.attempts).toBe(3);
  expect(erased.ended.map(({ deliveryId }) => deliveryId).sort()).toEqual([open.deliveryId, busy.deliveryId].sort());
  const rows = await db.delivery.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
  const cancelled = { status: 'failed', failureReason: 'cancelled', dueAt: null, leaseToken: null };
  expect(rows).toMatchObject([cancelled, cancelled, { status: 'delivered' }]);
  for (const row of await db.attempt.findMany({ where: { deliveryId: { in: ids } } })) {
    expect(row).toMatchObject({ ...NO_CONTENT, errorMessage: null, url: 'https://a.test/' });
  }
  expect(await inTransaction(db, (transaction) => eraseDeliveries(transaction, ids, 'cancelled'))).toEqual({
    ended: [],
    attempts: 0,
  });
});

test('what an attempt stores after its event was erased is erased when its lease is over', async () => {
  const busy = await insertDelivery(db, endpoint, { status: 'delivering' });
  await inTransaction(db, (transaction) => eraseDeliveries(transaction, [busy.deliveryId], 'cancelled'));
  await insertAttempt(busy.deliveryId);
  expect(await eraseAgain(db)).toEqual({ events: 0, isLast: true });
  await db.erasedEvent.updateMany({ data: { againAt: new Date(0) } });
  expect(await eraseAgain(db)).toEqual({ events: 1, isLast: true });
  expect(await db.attempt.findMany({ where: { deliveryId: busy.deliveryId } })).toMatchObject([NO_CONTENT]);
  expect(await db.erasedEvent.count()).toBe(0);
});

test('of the address of an attempt, what a transformation made of the payload is erased', async () => {
  const [own, made] = [await insertDelivery(db, endpoint), await insertDelivery(db, endpoint)];
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { url: 'https://a.test/hooks?key=1' } });
  await insertAttempt(own.deliveryId, 'https://a.test/hooks?key=1');
  await insertAttempt(made.deliveryId, 'https://a.test/hooks/ann?key=1');
  const ids = [own.deliveryId, made.deliveryId].sort();
  await inTransaction(db, (transaction) => eraseDeliveries(transaction, ids, 'cancelled'));
  const urlOf = async (deliveryId: string) => (await db.attempt.findFirstOrThrow({ where: { deliveryId } })).url;
  expect(await urlOf(own.deliveryId)).toBe('https://a.test/hooks?key=1');
  expect(await urlOf(made.deliveryId)).toBe('https://a.test/');
});

test('of an address that the endpoint had before, only the origin stays, also without a path', async () => {
  const { deliveryId } = await insertDelivery(db, endpoint);
  await insertAttempt(deliveryId, 'https://former.test?customer=ann');
  await inTransaction(db, (transaction) => eraseDeliveries(transaction, [deliveryId], 'cancelled'));
  expect(await db.attempt.findFirst({ where: { deliveryId } })).toMatchObject({ url: 'https://former.test/' });
});

test('of an erased customer, the address of an attempt that ends after the erasure is erased, too', async () => {
  const busy = await insertDelivery(db, endpoint, { status: 'delivering' });
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { url: ERASED_URL } });
  await inTransaction(db, (transaction) => eraseDeliveries(transaction, [busy.deliveryId], 'cancelled'));
  await insertAttempt(busy.deliveryId);
  await db.erasedEvent.updateMany({ data: { againAt: new Date(0) } });
  await eraseAgain(db);
  const attempts = await db.attempt.findMany({ where: { deliveryId: busy.deliveryId } });
  expect(attempts).toMatchObject([{ ...NO_CONTENT, url: '', remoteAddress: null }]);
});

test('an erasure of the deliveries to one endpoint leaves what attempts at other endpoints got of the same events', async () => {
  const other = await insertEndpoint(db);
  const own = await insertDelivery(db, endpoint, { status: 'delivering' });
  const { deliveryId, eventId, workspaceId, environmentId } = own;
  const otherId = deliveryIdFor(eventId, other.endpointId);
  const data = { id: otherId, eventId, workspaceId, environmentId, endpointId: other.endpointId } as const;
  await db.delivery.create({ data: { ...data, status: 'delivered' } });
  for (const id of [deliveryId, otherId]) await insertAttempt(id);
  const eraseLater = async (deliveryIds: string[]) => {
    await inTransaction(db, (transaction) => eraseDeliveries(transaction, deliveryIds, 'cancelled'));
    await insertAttempt(deliveryId);
    await db.erasedEvent.updateMany({ data: { againAt: new Date(0) } });
    await eraseAgain(db);
  };
  const withContent = (id: string) => db.attempt.count({ where: { deliveryId: id, errorMessage: { not: null } } });
  await eraseLater([deliveryId]);
  expect([await withContent(deliveryId), await withContent(otherId)]).toEqual([0, 1]);
  await eraseLater([deliveryId, otherId]);
  expect([await withContent(deliveryId), await withContent(otherId)]).toEqual([0, 0]);
});

test('a consumer cannot answer a lease that ended long before the erasure', async () => {
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isPulled: true } });
  const leaseToken = randomUUID();
  const ended = { status: 'dead_letter', dueInSeconds: null, isPulled: true, leaseToken } as const;
  const { deliveryId } = await insertDelivery(db, endpoint, { ...ended, updatedAt: new Date(Date.now() - 300_000) });
  const find = () => heldDeliveries(db, endpoint.endpointId, [{ deliveryId, leaseToken }]);
  const held = (await find()).get(deliveryId);
  if (held === undefined) throw new Error('the lease can be answered before the erasure');
  await inTransaction(db, (transaction) => eraseDeliveries(transaction, [deliveryId], 'cancelled'));
  const attempt = {
    ...{ id: attemptIdOf(held, 'answered'), succeeded: true, startedAt: new Date(), durationMs: 5, url: '' },
    ...{ responseStatus: 200, responseHeadersSealed: bytes, responseBodySealed: bytes },
    ...{ errorCode: null, errorMessage: null },
  };
  const after = afterLease({ kind: 'acked' }, held, { retryDelaySeconds: undefined, secondsLeft: 0 });
  expect(await settleLeases(db, [{ held, after, attempt, mayStillAnswer: false }])).toEqual(new Set());
  expect((await find()).size).toBe(0);
  expect(await db.attempt.count({ where: { deliveryId } })).toBe(0);
  expect(await db.erasedEvent.count()).toBe(0);
});

test('an event whose attempts cannot be erased delays no other, and is due again later', async () => {
  const [bad, good] = [await insertDelivery(db, endpoint), await insertDelivery(db, endpoint)];
  for (const { deliveryId } of [bad, good]) await insertAttempt(deliveryId);
  const againAt = new Date(0);
  await db.erasedEvent.createMany({ data: [bad, good].map(({ eventId }) => ({ eventId, againAt })) });
  await db.attempt.updateMany({ where: { deliveryId: bad.deliveryId }, data: { url: 'https://refused.test/' } });
  await db.$executeRaw`create function refuse() returns trigger language plpgsql as $$ begin
    if old.url = 'https://refused.test/' then raise exception 'no'; end if; return new; end $$`;
  await db.$executeRaw`create trigger refuse before update on attempt for each row execute function refuse()`;
  await expect(eraseAgain(db)).rejects.toThrow();
  await db.$executeRaw`drop trigger refuse on attempt`;
  expect(await db.attempt.findMany({ where: { deliveryId: good.deliveryId } })).toMatchObject([NO_CONTENT]);
  const [left, ...others] = await db.erasedEvent.findMany();
  expect([left?.eventId, others.length]).toEqual([bad.eventId, 0]);
  expect(left?.againAt.getTime()).toBeGreaterThan(Date.now());
  await db.erasedEvent.updateMany({ data: { againAt } });
  expect(await eraseAgain(db)).toEqual({ events: 1, isLast: true });
  expect(await db.attempt.findMany({ where: { deliveryId: bad.deliveryId } })).toMatchObject([NO_CONTENT]);
});

test('erasures that are repeated take turns by owner, and those that the version before noted go with them', async () => {
  const other = await insertEndpoint(db);
  const ofMany = Array.from({ length: 150 }, () => randomUUID());
  const due = (eventId: string, workspaceId: string | null, againAt: number) => ({
    ...{ eventId, workspaceId },
    againAt: new Date(againAt),
  });
  const [ofOther, ofFormer] = [randomUUID(), randomUUID()];
  await db.erasedEvent.createMany({
    data: [
      ...ofMany.map((eventId) => due(eventId, endpoint.workspaceId, 0)),
      due(ofOther, other.workspaceId, 60_000),
      due(ofFormer, null, 60_000),
    ],
  });
  await eraseAgain(db);
  const left = (await db.erasedEvent.findMany()).map(({ eventId }) => eventId);
  expect([left.length, left.includes(ofOther), left.includes(ofFormer)]).toEqual([51, false, false]);
});

test('leases of consumers end in turns by owner', async () => {
  const other = await insertEndpoint(db);
  const leased = { isPulled: true, status: 'delivering', leaseToken: randomUUID() } as const;
  for (let n = 0; n < 3; n += 1) await insertDelivery(db, endpoint, { ...leased, dueInSeconds: -60 });
  const { deliveryId } = await insertDelivery(db, other, { ...leased, dueInSeconds: -1 });
  expect((await expiredLeases(db, 2)).map((lease) => lease.deliveryId)).toContain(deliveryId);
});

test('a page reads no more deliveries of an event than it has', async () => {
  const { workspaceId, environmentId, endpointId } = endpoint;
  const { eventId } = await insertDelivery(db, endpoint, { status: 'delivered', dueInSeconds: null });
  const one = { eventId, workspaceId, environmentId, endpointId, status: 'delivered' as const };
  const ids = Array.from({ length: 1_000 }, () => deliveryIdFor(eventId, randomUUID())).sort();
  await db.delivery.createMany({ data: ids.map((id) => ({ ...one, id })) });
  const fetched = await inTransaction(db, async (transaction) => {
    const page = await deliveriesOfEvents(transaction, { workspaceId, eventIds: [eventId], after: NIL_UUID });
    expect(page.deliveryIds).toHaveLength(250);
    const rest = await deliveriesOfEvents(transaction, { workspaceId, eventIds: [eventId], after: ids[899] ?? '' });
    expect(rest.deliveryIds.filter((id) => id !== eventId)).toEqual(ids.slice(-100));
    const [row] = await transaction.$queryRaw<{ count: bigint }[]>`
      select sum(idx_tup_fetch + seq_tup_read)::bigint as count from pg_stat_xact_user_tables
      where relname like 'delivery\\_%'`;
    return Number(row?.count);
  });
  expect(fetched).toBeLessThan(400);
});

test('a page of direct events with an ordering key reads at most 250, however many before them are erased', async () => {
  const { workspaceId, environmentId, endpointId } = endpoint;
  const ids = Array.from({ length: 600 }, () => deliveryIdFor(lowestKeyAt(new Date()), randomUUID())).sort();
  const event = { workspaceId, environmentId, endpointId, payloadSize: 3, published: true, orderingKey: 'a' };
  const last = ids.at(-1) ?? '';
  await db.event.createMany({ data: ids.map((id) => ({ ...event, id, payload: id === last ? bytes : null })) });
  const pages: string[][] = [];
  let mostFetched = 0;
  for (let after: string | undefined = NIL_UUID; after !== undefined; ) {
    const walk = { endpointId, after, end: lowestKeyAt(new Date(Date.now() + 60_000)), isWhole: false };
    const page = await inTransaction(db, async (transaction) => {
      // The counts are those that the connection has not reported yet.
      const fetched = async () => {
        const [row] = await transaction.$queryRaw<{ count: bigint }[]>`
          select sum(idx_tup_fetch + seq_tup_read)::bigint as count from pg_stat_xact_user_tables
          where relname like 'event\\_2%'`;
        return Number(row?.count);
      };
      const before = await fetched();
      const read = await orderedDirectEvents(transaction, walk);
      mostFetched = Math.max(mostFetched, (await fetched()) - before);
      return read;
    });
    pages.push(page.eventIds);
    after = page.next;
  }
  expect(pages).toEqual([[], [], [last]]);
  expect(mostFetched).toBeLessThanOrEqual(300);
});

test('deliveries of events are read in pages, those without content left out', async () => {
  const { workspaceId } = endpoint;
  const first = await insertDelivery(db, endpoint, { status: 'delivered', dueInSeconds: null });
  const second = await insertDelivery(db, endpoint, { status: 'pending' });
  const of = { workspaceId, eventIds: [first.eventId, second.eventId], after: NIL_UUID };
  await inTransaction(db, async (transaction) => {
    const all = await deliveriesOfEvents(transaction, of);
    expect(all).toEqual({ deliveryIds: [first.deliveryId, second.deliveryId].sort(), next: undefined });
    const open = await deliveriesOfEvents(transaction, of, 'with_content');
    expect(open.deliveryIds).toEqual([second.deliveryId]);
  });
});

test('the kept answer to an erased event has no faults of its schema, and the names go with its own record alone', async () => {
  const faulty = { schemaErrors: ['$.ann: must be a number'] };
  const [own, later] = [await insertDelivery(db, endpoint), await insertDelivery(db, endpoint)];
  const { environmentId } = endpoint;
  const expiresAt = new Date(Date.now() + 60_000);
  const kept = { environmentId, published: true, requestHash: bytes, expiresAt, ...faulty };
  await db.idempotencyRecord.createMany({
    data: [
      { ...kept, key: 'own', eventId: own.eventId },
      { ...kept, key: 'reused', eventId: later.eventId },
    ],
  });
  const faultsOf = async () =>
    (await db.idempotencyRecord.findMany({ where: { environmentId }, orderBy: { key: 'asc' } })).map(
      ({ key, schemaErrors }) => [key, schemaErrors],
    );
  const eraseOf = async (key: string) => {
    await db.event.update({ where: { id: own.eventId }, data: { payload: bytes, ...faulty, idempotencyKey: key } });
    await inTransaction(db, (transaction) => erasePayloads(transaction, [own.eventId]));
  };
  await eraseOf('reused');
  expect(await faultsOf()).toEqual([
    ['own', faulty.schemaErrors],
    ['reused', faulty.schemaErrors],
  ]);
  await eraseOf('own');
  expect(await faultsOf()).toEqual([
    ['own', null],
    ['reused', faulty.schemaErrors],
  ]);
  await inTransaction(db, (transaction) => eraseNames(transaction, [own.eventId]));
  await db.event.update({ where: { id: own.eventId }, data: { idempotencyKey: 'reused' } });
  await inTransaction(db, (transaction) => eraseNames(transaction, [own.eventId]));
  expect(await faultsOf()).toEqual([['reused', faulty.schemaErrors]]);
  expect(await db.event.findUnique({ where: { id: own.eventId } })).toMatchObject({ idempotencyKey: null });
});

test('an erased payload keeps its size, and is erased once', async () => {
  const { eventId } = await insertDelivery(db, endpoint, { status: 'pending' });
  await db.event.update({ where: { id: eventId }, data: { payload: bytes, payloadSize: 3, schemaErrors: ['x'] } });
  expect(await inTransaction(db, (transaction) => erasePayloads(transaction, [eventId]))).toBe(1);
  expect(await inTransaction(db, (transaction) => erasePayloads(transaction, [eventId]))).toBe(0);
  const row = await db.event.findUniqueOrThrow({ where: { id: eventId } });
  expect(row).toMatchObject({ payload: null, payloadSize: 3, schemaErrors: null });
});
