import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Db } from '@posthorn/db/client';
import { withConnection } from '@posthorn/db/connection';
import { ensurePartitions } from '@posthorn/db/partitions';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt, NIL_UUID } from '@posthorn/db/uuid-range';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { whileLocked } from '@posthorn/testkit/row-lock';
import { countUsage, requireCounted } from './count-usage.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The beginning of the present month: the times around it belong to two days and two months. */
const now = new Date();
const boundary = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
const lastDay = new Date(boundary.getTime() - DAY_MS);
const around = (ms: number) => new Date(boundary.getTime() + ms);

/** A key of this time. */
const keyAt = (at: Date) => lowestKeyAt(at).slice(0, 14) + randomUUID().slice(14);

let database: TestDatabase;
let db: Db;
let endpoint: EndpointRow;
let applicationId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  await withConnection(database.databaseUrl, (connection) => ensurePartitions(connection, lastDay));
});
afterAll(() => database.drop());
beforeEach(async () => {
  await db.$executeRaw`truncate event, delivery, attempt, application_usage`;
  await db.usageCount.updateMany({ data: { countedTo: around(-12 * MINUTE_MS) } });
  endpoint = await insertEndpoint(db);
  applicationId = keyAt(now);
  await db.application.create({ data: { id: applicationId, workspaceId: endpoint.workspaceId, name: 'ACME' } });
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { applicationId } });
});

type Given = { isTest?: boolean; applicationId?: string; endpointId?: string; payloadSize?: number };

async function insertEvent(at: Date, given: Given = {}): Promise<string> {
  const { workspaceId, environmentId } = endpoint;
  const id = keyAt(at);
  await db.event.create({
    data: { id, workspaceId, environmentId, eventType: 'a', payloadSize: 5, published: true, ...given },
  });
  return id;
}

async function insertDelivery(at: Date, given: { isTest?: boolean; matchedAt?: Date } = {}): Promise<string> {
  const { workspaceId, environmentId, endpointId } = endpoint;
  const id = keyAt(at);
  await db.delivery.create({
    data: { id, eventId: id, workspaceId, environmentId, endpointId, status: 'delivered', ...given },
  });
  return id;
}

async function insertAttempt(deliveryId: string, settledAt: Date): Promise<void> {
  const facts = {
    number: 1,
    trigger: 'schedule',
    succeeded: true,
    durationMs: 1,
    url: '',
    requestHeaders: {},
  } as const;
  const data = { ...facts, deliveryId, id: keyAt(settledAt), startedAt: settledAt, settledAt };
  await db.attempt.create({ data });
}

/** Counts the rows from before this time. */
const countTo = (end: Date, client = db) => countUsage(client, { lagMs: Date.now() - end.getTime() });
const counted = async () => {
  const rows = await db.applicationUsage.findMany({ orderBy: [{ day: 'asc' }, { applicationId: 'asc' }] });
  return rows.map(({ day, applicationId: of, events, deliveries, attempts, bytes }) => [
    day.toISOString().slice(0, 10),
    of === applicationId ? 'acme' : of === NIL_UUID ? 'none' : of,
    ...[events, deliveries, attempts, bytes].map(Number),
  ]);
};
const dayOf = (instant: Date) => instant.toISOString().slice(0, 10);
const [before, after] = [dayOf(lastDay), dayOf(boundary)];

test('each row counts once, on the UTC day on which it came to be, also at the end of a month', async () => {
  await insertEvent(around(-1), { applicationId });
  await insertEvent(around(0), { applicationId, payloadSize: 7 });
  // Its delivery and attempts came after the end of the month.
  const late = await insertDelivery(around(-2 * MINUTE_MS), { matchedAt: around(MINUTE_MS) });
  await insertAttempt(late, around(2 * MINUTE_MS));
  const early = await insertDelivery(around(-1));
  await insertAttempt(early, around(-1));
  await insertAttempt(early, around(0));
  await countTo(around(5 * MINUTE_MS));
  const expected = [
    [before, 'acme', 1, 1, 1, 5],
    [after, 'acme', 1, 1, 2, 7],
  ];
  expect(await counted()).toEqual(expected);
  await countTo(around(5 * MINUTE_MS));
  expect(await counted()).toEqual(expected);
});

test('deliveries and attempts count for the customer who owns the endpoint, and so does an event that names the endpoint', async () => {
  const at = around(-MINUTE_MS);
  await insertEvent(at);
  await insertEvent(at, { endpointId: endpoint.endpointId, payloadSize: 0 });
  await insertAttempt(await insertDelivery(at), at);
  await countTo(around(0));
  expect(await counted()).toEqual([
    [before, 'none', 1, 0, 0, 5],
    [before, 'acme', 1, 1, 1, 0],
  ]);
});

test('tests count nowhere', async () => {
  const at = around(-MINUTE_MS);
  await insertEvent(at, { isTest: true });
  await insertAttempt(await insertDelivery(at, { isTest: true }), at);
  await countTo(around(0));
  expect(await counted()).toEqual([]);
});

test('counts that run at once add each row once', async () => {
  for (let n = 0; n < 20; n += 1) await insertEvent(around(-n * 30_000 - 1), { applicationId });
  await Promise.all([1, 2, 3].map(() => countTo(around(0))));
  await countTo(around(0));
  expect(await counted()).toEqual([[before, 'acme', 20, 0, 0, 100]]);
});

test('a count whose connection is cut off after it added, and before it was committed, adds everything once', async () => {
  await insertEvent(around(-MINUTE_MS), { applicationId });
  // The row is added first. Then the update of the position waits here, and its process ends.
  await db.$executeRaw`create function stall() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock(4711); return new; end $$`;
  await db.$executeRaw`create trigger stall before update on usage_count for each row execute function stall()`;
  await db.usageCount.updateMany({ data: { countedTo: around(-5 * MINUTE_MS) } });
  await whileLocked(database.databaseUrl, { sql: 'select pg_advisory_xact_lock(4711)', values: [] }, async () => {
    const round = countTo(around(0)).then(
      () => 'counted',
      () => 'cut off',
    );
    for (let ended = 0; ended === 0; ) {
      const rows = await db.$queryRaw<{ ended: boolean }[]>`
          select pg_terminate_backend(pid) as ended from pg_stat_activity
          where datname = current_database() and wait_event = 'advisory' and query ilike 'update usage_count%'`;
      ended = rows.length;
    }
    expect(await round).toBe('cut off');
  });
  await db.$executeRaw`drop trigger stall on usage_count`;
  expect(await counted()).toEqual([]);
  await countTo(around(0));
  expect(await counted()).toEqual([[before, 'acme', 1, 0, 0, 5]]);
});

test('rows that are too many for one statement are counted in parts', async () => {
  for (let n = 0; n < 24; n += 1) await insertEvent(around(-n * 5_000 - 1), { applicationId });
  // Fails as a statement does that Postgres ends at its time limit.
  await db.$executeRaw`create function too_long() returns trigger language plpgsql as $$ begin
    if new.events > 3 then raise exception 'too long' using errcode = '57014'; end if; return new; end $$`;
  await db.$executeRaw`create trigger too_long before insert on application_usage for each row execute function too_long()`;
  await countTo(around(0));
  await db.$executeRaw`drop trigger too_long on application_usage`;
  expect(await counted()).toEqual([[before, 'acme', 24, 0, 0, 120]]);
});

test('a day is counted only when nothing of it is left, whenever its deliveries were attempted', async () => {
  const delivery = await insertDelivery(around(-MINUTE_MS));
  await expect(requireCounted(db, lastDay)).rejects.toThrow('its usage has not been counted yet');
  await countTo(around(0));
  await requireCounted(db, lastDay);
  await insertAttempt(delivery, around(MINUTE_MS));
  await expect(requireCounted(db, lastDay)).rejects.toThrow('its usage has not been counted yet');
  await countTo(around(2 * MINUTE_MS));
  await requireCounted(db, lastDay);
  await insertDelivery(around(-MINUTE_MS), { matchedAt: around(3 * MINUTE_MS) });
  await expect(requireCounted(db, lastDay)).rejects.toThrow('its usage has not been counted yet');
});

test('whether a day is counted is found without reading the day', async () => {
  const at = around(-MINUTE_MS);
  const deliveryId = await insertDelivery(at);
  await db.$executeRaw`
    insert into attempt (delivery_id, id, number, trigger, succeeded, started_at, settled_at, duration_ms, url, request_headers)
    select ${deliveryId}::uuid, gen_random_uuid(), n, 'schedule', true, ${at}::timestamptz, ${at}::timestamptz, 1, '', '{}'
    from generate_series(1, 5000) n`;
  await countTo(around(0));
  await db.$executeRaw`
    select brin_summarize_new_values(c.oid) from pg_class c join pg_am a on a.oid = c.relam
    where a.amname = 'brin' and c.relkind = 'i'`;
  const read = await inTransaction(db, async (transaction) => {
    // Plans statements as the services do.
    await transaction.$executeRaw`set local plan_cache_mode = force_generic_plan`;
    const before = await readSoFar(transaction);
    await requireCounted(transaction, lastDay);
    return (await readSoFar(transaction)) - before;
  });
  expect(read).toBeLessThan(100);
});

/** The rows and index entries that this connection has read. */
async function readSoFar(client: Pick<Db, '$queryRaw'>): Promise<number> {
  const [row] = await client.$queryRaw<{ count: number }[]>`
    select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::int as count
    from pg_class where relname ~ '^(attempt|delivery)_'`;
  return row?.count ?? 0;
}
