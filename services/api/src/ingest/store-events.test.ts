import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { type NewEvent, storeEvents } from './store-events.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const [workspaceId, environmentId] = [newUuid(new Date()), newUuid(new Date())];

function eventWith(given: Partial<NewEvent>): NewEvent {
  const event = { workspaceId, environmentId, applicationId: null, eventType: 'order.created', published: true };
  const content = { contentType: null, payload: null, payloadSize: 0, schemaErrors: null };
  const plain = { orderingKey: null, deliverAt: null, isScheduled: false };
  return { id: newUuid(new Date()), ...event, direct: null, idempotency: null, ...content, ...plain, ...given };
}

test('docs/interface.md, Ingestion request: the bytes of each event are stored unchanged, whichever events of a batch have no body or no key', async () => {
  const payloads = [null, Buffer.from([0, 255, 10]), null, Buffer.from('AAAA')];
  const hashes = [null, Buffer.alloc(32, 1), Buffer.alloc(32, 255), null];
  const events = payloads.map((payload, index) => {
    const requestHash = hashes[index] ?? null;
    return eventWith({ payload, idempotency: requestHash === null ? null : { key: `key-${index}`, requestHash } });
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
