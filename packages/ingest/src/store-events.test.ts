import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { inTransaction } from '@posthorn/db/transaction';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import { isBehindHead } from '@posthorn/ledger/waiting';
import type { PayloadRetention } from '@posthorn/routing/routes';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { eventWith } from '@posthorn/testkit/new-event';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type NewEvent, storeEvents } from './store-events.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

const environmentId = newUuid(new Date());

test('docs/interface.md, Time: an event comes after the due events of its key; with more than 20 of them it is not stored, and others are', async () => {
  const { db } = database;
  const due = (orderingKey: string, count: number) =>
    db.scheduledEvent.createMany({
      data: Array.from({ length: count }, (_, n) => {
        const deliverAt = new Date(Date.now() - 60_000 - n);
        return { eventId: newUuid(new Date()), environmentId, orderingKey, deliverAt };
      }),
    });
  await due('busy', 21);
  await due('calm', 20);
  const requestHash = Buffer.alloc(32, 7);
  const [busy, calm, plain] = [
    eventWith({ environmentId, orderingKey: 'busy', idempotency: { key: 'left-out', requestHash } }),
    eventWith({ environmentId, orderingKey: 'calm' }),
    eventWith({ environmentId }),
  ];
  const stored = expect.objectContaining({ kind: 'stored', isToFanOut: true, made: [] });
  expect(await storeEvents(db, [busy, calm, plain])).toEqual([{ kind: 'left_out' }, stored, stored]);
  expect(await db.event.count({ where: { id: busy.id } })).toBe(0);
  expect(await db.idempotencyRecord.count({ where: { environmentId, key: 'left-out' } })).toBe(0);
  expect(await db.scheduledEvent.groupBy({ by: ['orderingKey'], _count: true })).toEqual([
    { orderingKey: 'busy', _count: 21 },
  ]);
  const waiting = await db.pendingFanOut.findMany({
    where: { orderingKey: { not: null } },
    orderBy: { orderingNumber: 'asc' },
  });
  expect([waiting.length, waiting.at(-1)?.eventId]).toEqual([21, calm.id]);
  const rest = { take: 1, where: { orderingKey: 'busy' } };
  const [one] = await db.scheduledEvent.findMany(rest);
  await db.scheduledEvent.delete({ where: { eventId: one?.eventId ?? '' } });
  expect(await storeEvents(db, [busy])).toEqual([stored]);
});

describe('a due scheduled event', () => {
  const schedule = (environmentId: string, orderingKey: string) => {
    const deliverAt = new Date(Date.now() - 60_000);
    return database.db.scheduledEvent.create({
      data: { eventId: newUuid(new Date()), environmentId, orderingKey, deliverAt },
    });
  };

  function directTo(endpoint: EndpointRow): NewEvent {
    const id = newUuid(new Date());
    const direct = { endpointId: endpoint.endpointId, deliveryId: deliveryIdFor(id, endpoint.endpointId) };
    return eventWith({ ...endpoint, id, eventType: null, direct, orderingKey: 'a' });
  }

  test('is not passed by a direct event of its key while another statement gives it its place', async () => {
    const { db } = database;
    const endpoint = await insertEndpoint(db);
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isFifo: true } });
    const { eventId } = await schedule(endpoint.environmentId, 'a');
    const direct = directTo(endpoint);
    let storing: Promise<unknown> = Promise.resolve();
    await inTransaction(db, async (transaction) => {
      await storeEvents(transaction, [eventWith({ ...endpoint, orderingKey: 'a' })]);
      storing = storeEvents(db, [direct]);
      const blocked = () => db.$queryRaw<unknown[]>`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await waitFor(async () => (await blocked()).length > 0, { what: 'the direct event to wait for the place' });
    });
    expect(await storing).toMatchObject([{ kind: 'stored', isToFanOut: true }]);
    const waiting = await db.pendingFanOut.findMany({
      where: { environmentId: endpoint.environmentId },
      orderBy: { orderingNumber: 'asc' },
    });
    expect(waiting.map((event) => event.eventId)).toEqual([eventId, expect.any(String), direct.id]);
    const delivery = await db.delivery.findUniqueOrThrow({ where: { id: direct.direct?.deliveryId ?? '' } });
    expect([isBehindHead(delivery.dueAt), delivery.orderingKey]).toEqual([true, null]);
  });

  test('is left to the dispatchers where an accepted event of its key has no fan-out that leads to it', async () => {
    const { db } = database;
    const endpoint = await insertEndpoint(db);
    const idempotency = { key: 'first', requestHash: Buffer.alloc(32, 3) };
    await storeEvents(db, [eventWith({ ...endpoint, idempotency })]);
    const { eventId } = await schedule(endpoint.environmentId, 'a');
    const ofKey = { ...endpoint, orderingKey: 'a' };
    const events = [
      directTo(endpoint),
      eventWith({ ...ofKey, published: false }),
      eventWith({ ...ofKey, idempotency }),
    ];
    const stored = await storeEvents(db, events);
    expect(stored).toMatchObject([{ isToFanOut: false }, { isToFanOut: false }, { kind: 'duplicate' }]);
    expect(await db.scheduledEvent.count({ where: { eventId } })).toBe(1);
    expect(await db.pendingFanOut.count({ where: { eventId } })).toBe(0);
  });
});

test('the tokens of each event are stored with it, and those of an event that is not stored are not', async () => {
  const { db } = database;
  const requestHash = Buffer.alloc(32, 9);
  const deliverAt = new Date(Date.now() + 3_600_000);
  const later = { deliverAt, isScheduled: true };
  const events = [
    eventWith({ environmentId, tokens: [1n, -(2n ** 63n)] }),
    eventWith({ environmentId }),
    eventWith({ environmentId, tokens: [2n ** 63n - 1n], idempotency: { key: 'found', requestHash } }),
    eventWith({ environmentId, tokens: [3n], ...later, idempotency: { key: 'found later', requestHash } }),
  ];
  await storeEvents(db, events);
  const again = events.map((event) => eventWith({ ...event, id: newUuid(new Date()) })).slice(2);
  expect((await storeEvents(db, again)).map(({ kind }) => kind)).toEqual(['duplicate', 'duplicate']);
  const ids = [...events, ...again].map(({ id }) => id);
  const stored = await db.eventToken.findMany({ where: { eventId: { in: ids } } });
  const tokensOf = (id: string) => stored.flatMap(({ eventId, token }) => (eventId === id ? [token] : []));
  expect(ids.map((id) => tokensOf(id).toSorted())).toEqual([[-(2n ** 63n), 1n], [], [2n ** 63n - 1n], [3n], [], []]);
});

test('docs/interface.md, Ingestion request: the bytes of each event are stored unchanged, whichever events of a batch have no body or no key', async () => {
  const payloads = [null, Buffer.from([0, 255, 10]), null, Buffer.from('AAAA')];
  const hashes = [null, Buffer.alloc(32, 1), Buffer.alloc(32, 255), null];
  const events = payloads.map((payload, index) => {
    const requestHash = hashes[index] ?? null;
    return eventWith({
      environmentId,
      payload,
      idempotency: requestHash === null ? null : { key: `key-${index}`, requestHash },
    });
  });
  expect(await storeEvents(database.db, events)).toEqual(
    events.map(() => expect.objectContaining({ kind: 'stored', isToFanOut: true, made: [] })),
  );
  for (const [index, { id, idempotency }] of events.entries()) {
    const row = await database.db.event.findUniqueOrThrow({ where: { id } });
    expect(row.payload && Buffer.from(row.payload)).toEqual(payloads[index]);
    if (idempotency === null) continue;
    const record = await database.db.idempotencyRecord.findFirstOrThrow({
      where: { environmentId, key: idempotency.key },
    });
    expect(Buffer.from(record.requestHash)).toEqual(idempotency.requestHash);
  }
});

test('events that name a type are stored while the table of deliveries is locked', async () => {
  const { db } = database;
  const event = eventWith({ environmentId });
  await inTransaction(db, async (transaction) => {
    await transaction.$executeRaw`lock table delivery in access exclusive mode`;
    expect(await storeEvents(db, [event])).toMatchObject([{ kind: 'stored', isToFanOut: true }]);
  });
});

describe('an event that was matched where it is accepted', () => {
  const { db } = database;
  const leaseToken = randomUUID();
  let endpoint: EndpointRow;
  beforeEach(async () => {
    endpoint = await insertEndpoint(db);
  });

  async function matchedEvent(
    given: Partial<NewEvent> & { endpointIds?: string[]; retention?: PayloadRetention } = {},
  ) {
    const { workspaceId, environmentId: id, endpointId } = endpoint;
    const { endpointIds = [endpointId], retention = 'workspace', ...event } = given;
    const { routingRevision } = await db.environment.findUniqueOrThrow({ where: { id } });
    const matched = { endpointIds, routingRevision, payloadRetention: retention };
    return eventWith({ workspaceId, environmentId: id, matched, ...event });
  }

  const deliveriesOf = (event: NewEvent) => db.delivery.findMany({ where: { eventId: event.id } });
  const isWaiting = async (event: NewEvent) => (await db.pendingFanOut.count({ where: { eventId: event.id } })) > 0;

  test('gets its deliveries in the statement that accepts it, under the offer, and waits for no fan-out', async () => {
    const event = await matchedEvent();
    const [stored] = await storeEvents(db, [event], { leaseToken });
    const deliveryId = deliveryIdFor(event.id, endpoint.endpointId);
    const { endpointId } = endpoint;
    expect(stored).toMatchObject({
      ...{ kind: 'stored', isToFanOut: false },
      made: [{ deliveryId, endpointId, isOffered: true }],
    });
    expect(await deliveriesOf(event)).toMatchObject([
      { id: deliveryId, status: 'delivering', leaseToken, eventType: 'order.created', matchedAt: null },
    ]);
    expect(await isWaiting(event)).toBe(false);
  });

  test('gets deliveries that are due when nobody would take an offer', async () => {
    const event = await matchedEvent();
    const [stored] = await storeEvents(db, [event]);
    expect(stored).toMatchObject({ isToFanOut: false, made: [{ isOffered: false, isDue: true }] });
    expect(await deliveriesOf(event)).toMatchObject([{ status: 'pending' }]);
  });

  test('is left to its fan-out, once, when the routing of its environment has changed since', async () => {
    const event = await matchedEvent();
    const changedTo = randomUUID();
    await db.environment.update({ where: { id: endpoint.environmentId }, data: { routingRevision: changedTo } });
    const [stored] = await storeEvents(db, [event], { leaseToken });
    expect(stored).toMatchObject({ isToFanOut: true, newRevision: changedTo, made: [] });
    expect([await deliveriesOf(event), await isWaiting(event)]).toEqual([[], true]);
  });

  test('with no endpoint is known as unmatched, unless its routing has changed', async () => {
    const [event, stale] = [await matchedEvent({ endpointIds: [] }), await matchedEvent({ endpointIds: [] })];
    if (stale.matched !== null) stale.matched = { ...stale.matched, routingRevision: randomUUID() };
    expect(await storeEvents(db, [event, stale], { leaseToken })).toMatchObject([
      { isToFanOut: false, made: [] },
      { isToFanOut: true, made: [] },
    ]);
    const unmatched = await db.unmatchedEvent.findMany({ where: { eventId: { in: [event.id, stale.id] } } });
    expect(unmatched.map(({ eventId }) => eventId)).toEqual([event.id]);
  });

  test.each<[PayloadRetention, { hasOneAttempt: boolean }[]]>([
    ['workspace', []],
    ['until_ended', [{ hasOneAttempt: false }]],
    ['none', [{ hasOneAttempt: true }]],
  ])('whose type keeps payloads %s has its note before any attempt', async (retention, notes) => {
    const event = await matchedEvent({ retention });
    await storeEvents(db, [event], { leaseToken });
    expect(await db.shortPayload.findMany({ where: { eventId: event.id } })).toMatchObject(notes);
  });

  test('with a key that another event has gets no deliveries', async () => {
    const idempotency = { key: 'twice', requestHash: Buffer.alloc(32, 1) };
    const [first, second] = [await matchedEvent({ idempotency }), await matchedEvent({ idempotency })];
    const stored = await storeEvents(db, [first, second], { leaseToken });
    expect(stored).toMatchObject([{ kind: 'stored' }, { kind: 'duplicate', first: { eventId: first.id } }]);
    expect([(await deliveriesOf(first)).length, await deliveriesOf(second)]).toEqual([1, []]);
  });

  test('and names its endpoint, in a batch with others, each gets its own deliveries', async () => {
    const other = await insertEndpoint(db);
    const plain = await matchedEvent();
    const direct = eventWith({ ...other, eventType: null, direct: { ...other, deliveryId: '' } });
    direct.direct = { endpointId: other.endpointId, deliveryId: deliveryIdFor(direct.id, other.endpointId) };
    const unpublished = eventWith({ published: false });
    const stored = await storeEvents(db, [plain, direct, unpublished], { leaseToken });
    expect(stored).toMatchObject([
      { made: [{ endpointId: endpoint.endpointId }] },
      { isToFanOut: false, made: [{ endpointId: other.endpointId, isOffered: true }] },
      { isToFanOut: false, made: [] },
    ]);
    expect(await deliveriesOf(direct)).toMatchObject([{ eventType: null, status: 'delivering' }]);
  });

  test('is stored beside an event with an ordering key, which takes its place by its fan-out', async () => {
    const [plain, ordered] = [await matchedEvent(), await matchedEvent({ matched: null, orderingKey: 'a' })];
    const stored = await storeEvents(db, [plain, ordered], { leaseToken });
    expect(stored).toMatchObject([
      { isToFanOut: false, made: [{ isOffered: true }] },
      { isToFanOut: true, made: [] },
    ]);
  });

  test('in many environments, each compared with its own revision', async () => {
    const first = await matchedEvent();
    endpoint = await insertEndpoint(db);
    const second = await matchedEvent();
    await db.environment.update({ where: { id: first.environmentId }, data: { routingRevision: randomUUID() } });
    expect(await storeEvents(db, [first, second], { leaseToken })).toMatchObject([
      { newRevision: expect.any(String), made: [] },
      { made: [{ isOffered: true }] },
    ]);
  });
});
