import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { type Brake, createBrake } from './brake.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
let other: EndpointRow;
let brake: Brake;
beforeEach(async () => {
  await db.delivery.deleteMany();
  await db.pendingFanOut.deleteMany();
  [endpoint, other] = [await insertEndpoint(db), await insertEndpoint(db)];
  brake = createBrake();
});

/** Whether each of the two workspaces takes no more. */
async function held(): Promise<boolean[]> {
  const ids = [endpoint.workspaceId, other.workspaceId];
  await brake.look(db, ids);
  return ids.map((id) => brake.holds(id));
}

/** Deliveries of a workspace that have been due for `dueSeconds`. */
const flood = (count: number, { of = endpoint, dueSeconds = 0 } = {}) => db.$executeRaw`
  insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, due_at)
  select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '70008000' ||
    right(gen_random_uuid()::text, 12))::uuid, gen_random_uuid(), ${of.endpointId}::uuid, ${of.workspaceId}::uuid,
    ${of.environmentId}::uuid, now() - make_interval(secs => ${dueSeconds}::int) from generate_series(1, ${count}::int)`;

test('20,000 due deliveries hold a workspace, and no other one', async () => {
  await flood(19_999);
  expect(await held()).toEqual([false, false]);
  await flood(1);
  expect(await held()).toEqual([true, false]);
});

test('what a source has brought since the last look counts, so 20,000 are not passed in between', async () => {
  const { workspaceId } = endpoint;
  await flood(19_000);
  await held();
  brake.count(workspaceId, 999);
  expect(brake.holds(workspaceId)).toBe(false);
  brake.count(workspaceId, 1);
  expect([brake.holds(workspaceId), brake.holds(other.workspaceId)]).toEqual([true, false]);
  await db.delivery.deleteMany();
  expect(await held()).toEqual([false, false]);
});

test('events whose deliveries are not made yet count, too', async () => {
  await flood(19_999);
  const { eventId } = await insertDelivery(db, endpoint, { dueInSeconds: null });
  await db.pendingFanOut.create({ data: { eventId } });
  expect(await held()).toEqual([true, false]);
});

test('a first attempt that has been due for 10 s holds its workspace; a retry, and one that is sent now, do not', async () => {
  await insertDelivery(db, other, { dueInSeconds: -60, scheduleStep: 1, status: 'scheduled_retry' });
  await insertDelivery(db, other, { dueInSeconds: -60, status: 'delivering' });
  await insertDelivery(db, other, { dueInSeconds: 60 });
  await insertDelivery(db, endpoint, { dueInSeconds: -9 });
  expect(await held()).toEqual([false, false]);
  await insertDelivery(db, endpoint, { dueInSeconds: -11 });
  expect(await held()).toEqual([true, false]);
});

test('behind the flood of another workspace, a source brings no more than 20,000, and goes on when they are delivered', async () => {
  await flood(40_000, { of: other, dueSeconds: 5 });
  expect(await held()).toEqual([false, true]);
  await flood(20_000);
  brake.count(endpoint.workspaceId, 20_000);
  expect(await held()).toEqual([true, true]);
  await db.$executeRaw`update delivery set due_at = null, status = 'delivered'
    where id = (select max(id::text)::uuid from delivery where workspace_id = ${endpoint.workspaceId}::uuid)`;
  expect(await held()).toEqual([false, true]);
});

test('behind the flood of another workspace, events whose deliveries are not made yet, and late first attempts, hold', async () => {
  await flood(40_000, { of: other, dueSeconds: 20 });
  await flood(19_999);
  const { eventId } = await insertDelivery(db, endpoint, { dueInSeconds: null });
  brake.count(endpoint.workspaceId, 20_000);
  expect(await held()).toEqual([false, true]);
  await db.pendingFanOut.create({ data: { eventId } });
  brake.count(endpoint.workspaceId, 1);
  expect(await held()).toEqual([true, true]);
  await db.delivery.deleteMany({ where: endpoint });
  expect(await held()).toEqual([false, true]);
  await insertDelivery(db, endpoint, { dueInSeconds: -11 });
  brake.count(endpoint.workspaceId, 20_000);
  expect(await held()).toEqual([true, true]);
});
