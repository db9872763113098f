import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { inTransaction } from '@posthorn/db/transaction';
import { createTestDatabase } from '@posthorn/testkit/database';
import { eventWith } from '../../test/new-event.ts';
import { storeEvents } from './store-events.ts';

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
  const stored = { kind: 'stored', isToFanOut: true, isDue: true };
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
    events.map(() => ({ kind: 'stored', isToFanOut: true, isDue: true })),
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
    expect(await storeEvents(db, [event])).toEqual([{ kind: 'stored', isToFanOut: true, isDue: true }]);
  });
});
