import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { pauseOperation } from '@posthorn/ledger/end-operation';
import { erasePayloads } from '@posthorn/ledger/erase';
import { systemClock } from '@posthorn/runtime/clock';
import { openSearchKey, tokenOf } from '@posthorn/search/tokens';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createMetrics } from '../metrics.ts';
import { createOperations } from './run-operations.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

const keys = parseSealingKeys(`test:${Buffer.alloc(32).toString('base64')}`);
const depths = { waiting: 0, delayed: 0 };
let endpoint: EndpointRow;
let typeId: string;
let keyId: string;
let warnings: unknown[];
beforeEach(async () => {
  await db.operation.updateMany({ data: { nextTurnAt: null } });
  endpoint = await insertEndpoint(db);
  warnings = [];
  typeId = newUuid(new Date());
  const searchKeys = [{ name: 'order', path: 'id', fold: false }];
  await db.eventType.create({
    data: { id: typeId, workspaceId: endpoint.workspaceId, name: 'order.created', searchKeys },
  });
  keyId = await insertKey();
});

async function insertKey(): Promise<string> {
  const id = newUuid(new Date());
  const sealed = new Uint8Array(seal(keys, randomBytes(32), sealContext.searchKey(id)));
  await db.workspaceSearchKey.create({ data: { id, workspaceId: endpoint.workspaceId, sealed } });
  return id;
}

async function insertEvent(payload: unknown, eventType = 'order.created'): Promise<string> {
  const id = newUuid(new Date());
  const { workspaceId, environmentId } = endpoint;
  const body = Buffer.from(JSON.stringify(payload));
  const sealed = new Uint8Array(seal(keys, body, sealContext.payload(id)));
  const content = { contentType: 'application/json', payload: sealed, payloadSize: body.length };
  await db.event.create({ data: { id, workspaceId, environmentId, eventType, published: true, ...content } });
  return id;
}

/** Starts an indexing and runs it to its end. */
async function index(): Promise<string> {
  const id = await start();
  await run(id);
  return id;
}

async function start(): Promise<string> {
  const id = newUuid(new Date());
  const { workspaceId } = endpoint;
  const after = lowestKeyAt(new Date(Date.now() - 3_600_000));
  const end = lowestKeyAt(new Date(Date.now() + 3_600_000));
  const scope = { workspaceId, eventTypes: ['order.created'], statuses: [], missed: false, after, end };
  const row = { id, workspaceId, type: 'search_index', status: 'running', isCounted: true, filter: {}, scope } as const;
  await db.operation.create({ data: row });
  const part = { operationId: id, endpointId: typeId, phase: 'search_index', position: after } as const;
  await db.operationPart.create({ data: part });
  return id;
}

/** Gives the operation turns until it needs none. */
async function run(id: string): Promise<void> {
  const isUnderWay = async () => (await db.operation.count({ where: { id, nextTurnAt: { not: null } } })) > 0;
  for (let n = 0; n < 100 && (await isUnderWay()); n += 1) {
    await db.operation.update({ where: { id }, data: { nextTurnAt: new Date(0) } });
    await dispatcher();
    expect(warnings).toEqual([]);
  }
}

const dispatcher = createOperations({
  db,
  producer: { depths: async () => ({ fanOut: depths, deliver: depths }) },
  enqueue: async () => {},
  clock: systemClock,
  logger: { warn: (message, fields) => void warnings.push([message, fields]) },
  metrics: createMetrics(),
  stats: { countEnded: () => {} },
  live: { deliveryChanged: () => {} },
  wakeConsumers: () => {},
  retentionDays: 7,
  keys,
});

async function isFound(eventId: string, text: string): Promise<boolean> {
  const stored = await db.workspaceSearchKey.findUniqueOrThrow({ where: { id: keyId } });
  const key = openSearchKey(keys, stored);
  if (key === undefined) throw new Error('the key cannot be opened');
  const token = tokenOf(key, endpoint.environmentId, { name: 'order', type: 'string', text });
  return (await db.eventToken.count({ where: { eventId, token } })) > 0;
}

test('an indexing writes the tokens of older events of the type, and of no other; repeating it changes nothing', async () => {
  const ids = [await insertEvent({ id: 'a' }), await insertEvent({ id: 'b' })];
  const other = await insertEvent({ id: 'a' }, 'order.paid');
  const many = await insertEvent({ id: Array.from({ length: 18 }, (_, n) => `v${n}`) });
  const large = await insertEvent({ id: 'a', filler: 'x'.repeat(17_000) });
  const operationId = await index();
  const operation = await db.operation.findUniqueOrThrow({ where: { id: operationId } });
  expect(operation).toMatchObject({ status: 'completed', matched: 4, enqueued: 4 });
  expect(await Promise.all([isFound(ids[0] ?? '', 'a'), isFound(ids[1] ?? '', 'b'), isFound(other, 'a')])).toEqual([
    true,
    true,
    false,
  ]);
  const leftOut = async (id: string) => (await db.event.findFirstOrThrow({ where: { id } })).searchLeftOut;
  expect([await leftOut(many), await leftOut(large), await leftOut(ids[0] ?? '')]).toEqual([2, -1, null]);
  const before = await db.$queryRaw`select ctid::text, token, event_id from event_token order by token, event_id`;
  await index();
  expect(await db.$queryRaw`select ctid::text, token, event_id from event_token order by token, event_id`).toEqual(
    before,
  );
});

test('an indexing that is paused writes nothing until it is resumed', async () => {
  const eventId = await insertEvent({ id: 'a' });
  const id = await start();
  const pause = (isPaused: boolean) => inTransaction(db, (tx) => pauseOperation(tx, { operationId: id, isPaused }));
  await pause(true);
  await run(id);
  expect([(await db.operation.findUniqueOrThrow({ where: { id } })).status, await isFound(eventId, 'a')]).toEqual([
    'running',
    false,
  ]);
  await pause(false);
  await run(id);
  expect(await isFound(eventId, 'a')).toBe(true);
});

test('after a rotation and a change of the keys, an event has the tokens of today alone', async () => {
  const id = await insertEvent({ id: 'a', number: 'n' });
  await index();
  const [old] = await db.eventToken.findMany({ where: { eventId: id } });
  await db.workspaceSearchKey.update({ where: { id: keyId }, data: { replacedAt: new Date() } });
  keyId = await insertKey();
  await index();
  const [fresh, ...others] = await db.eventToken.findMany({ where: { eventId: id } });
  expect([await isFound(id, 'a'), fresh?.token === old?.token, others]).toEqual([true, false, []]);
  const searchKeys = [{ name: 'order', path: 'number', fold: false }];
  await db.eventType.update({ where: { id: typeId }, data: { searchKeys } });
  await index();
  expect([await isFound(id, 'a'), await isFound(id, 'n')]).toEqual([false, true]);
});

test('an event that is erased while it waits for its indexing has no tokens afterwards', async () => {
  const id = await insertEvent({ id: 'a' });
  let indexing: Promise<string> | undefined;
  await inTransaction(db, async (transaction) => {
    await erasePayloads(transaction, [id]);
    indexing = index();
    const waits = () => db.$queryRaw<unknown[]>`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await waitFor(async () => (await waits()).length > 0, { what: 'the indexing to wait for the event' });
  });
  await indexing;
  expect(await db.eventToken.count({ where: { eventId: id } })).toBe(0);
});

test('an indexing of a type without search keys fails, and says so', async () => {
  await insertEvent({ id: 'a' });
  await db.eventType.updateMany({ where: { id: typeId }, data: { searchKeys: [] } });
  const operation = await db.operation.findUniqueOrThrow({ where: { id: await index() } });
  expect(operation).toMatchObject({ status: 'failed', error: 'The event type has no search keys' });
});
