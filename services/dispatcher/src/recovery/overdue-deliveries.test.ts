import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { inTime } from '@posthorn/testkit/in-time';
import { type After, type OverdueRow, overdueDeliveries, overdueRetries } from './overdue-deliveries.ts';

const database = await createTestDatabase();
const { db } = database;
const endpoint = await insertEndpoint(db);
afterAll(() => database.drop());
beforeEach(() => db.delivery.deleteMany());

/** A little less than the second for which a newly due row is left alone. */
const WITHIN_GRACE_MS = 900;

const idsOf = (rows: readonly OverdueRow[]) => rows.map(({ deliveryId }) => deliveryId);

async function insertLeased(leasedSecondsAgo: number | null): Promise<string> {
  const { deliveryId } = await insertDelivery(db, endpoint, { status: 'delivering', leaseToken: randomUUID() });
  await db.$executeRaw`
    update delivery set due_at = now() - interval '60 seconds',
      leased_until = now() - make_interval(secs => ${leasedSecondsAgo}::float8)
    where id = ${deliveryId}::uuid`;
  return deliveryId;
}

test('a delivery that has been due for over a second and is not leased is overdue; the longest overdue comes first', async () => {
  const retry = { status: 'scheduled_retry', scheduleStep: 1, generation: 3, dueInSeconds: -5 } as const;
  const pending = await insertDelivery(db, endpoint, { dueInSeconds: -2 });
  const scheduled = await insertDelivery(db, endpoint, retry);
  await insertDelivery(db, endpoint, { dueInSeconds: 60 });
  await insertDelivery(db, endpoint, { status: 'delivered', dueInSeconds: null });
  const dueNow = await insertDelivery(db, endpoint);
  const [first, second, ...others] = await inTime(WITHIN_GRACE_MS, async () => {
    await db.$executeRaw`update delivery set due_at = now() where id = ${dueNow.deliveryId}::uuid`;
    return overdueDeliveries(db, { limit: 10 });
  });
  const { deliveryId, eventId, endpointId, workspaceId } = scheduled;
  const ids = { deliveryId, eventId, endpointId, workspaceId };
  expect(first).toMatchObject({ ...ids, generation: 3, expired: false, isolated: false });
  expect(second?.deliveryId).toBe(pending.deliveryId);
  expect(others).toEqual([]);
});

test('a delivery with an expired lease is overdue; with a live or just expired lease it is not', async () => {
  const expired = await insertLeased(2);
  await insertLeased(-60);
  const justExpired = await insertLeased(0);
  const rows = await inTime(WITHIN_GRACE_MS, async () => {
    await db.$executeRaw`update delivery set leased_until = now() where id = ${justExpired}::uuid`;
    return overdueDeliveries(db, { limit: 10 });
  });
  expect(rows).toMatchObject([{ deliveryId: expired, expired: true, isolated: false }]);
});

test('a leased row without an expiry of its lease counts as leased until its due time', async () => {
  const left = await insertLeased(null);
  const rows = await overdueDeliveries(db, { limit: 10 });
  expect(rows).toMatchObject([{ deliveryId: left, expired: true }]);
  const justDue = await inTime(WITHIN_GRACE_MS, async () => {
    await db.$executeRaw`update delivery set due_at = now() where id = ${left}::uuid`;
    return overdueDeliveries(db, { limit: 10 });
  });
  expect(justDue).toEqual([]);
});

test.each([
  ['pending', 1, false],
  ['pending', 2, true],
  ['delivering', 0, false],
  ['delivering', 1, true],
] as const)('a delivery that is %s after %i lost leases: isolated is %s', async (status, lostLeases, isolated) => {
  await insertDelivery(db, endpoint, { status, lostLeases, dueInSeconds: -5 });
  expect(await overdueDeliveries(db, { limit: 10 })).toMatchObject([{ isolated }]);
});

test('the round changes every 3 s and is the same for all dispatchers', async () => {
  await insertDelivery(db, endpoint, { dueInSeconds: -5 });
  const [before, row, after] = [await roundNow(), (await overdueDeliveries(db, { limit: 1 }))[0], await roundNow()];
  expect(row?.round).toBeGreaterThanOrEqual(before);
  expect(row?.round).toBeLessThanOrEqual(after);
});

async function roundNow(): Promise<number> {
  const [row] = await db.$queryRaw<{ round: number }[]>`select floor(extract(epoch from now()) / 3)::int as round`;
  return row?.round ?? Number.NaN;
}

/** Overdue rows, all due at one instant by default. `n` begins at `from`. */
async function insertMany(count: number, { of = endpoint, step = 0, from = 1, dueSecondsAgo = 60 } = {}) {
  await db.$executeRaw`
    insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, schedule_step, status, due_at)
    select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7000800000' ||
      lpad(to_hex(n), 10, '0'))::uuid, gen_random_uuid(), ${of.endpointId}::uuid, ${of.workspaceId}::uuid,
      ${of.environmentId}::uuid, ${step}::int,
      (case when ${step}::int > 0 then 'scheduled_retry' else 'pending' end)::delivery_status,
      now() - make_interval(secs => ${dueSecondsAgo}::float8)
    from generate_series(${from}::int, ${from}::int + ${count}::int - 1) n`;
}

test('pages follow one another without gaps or repetitions, even when 2,000 rows share one due time', async () => {
  await insertMany(2_000);
  const seen: string[] = [];
  let after: After | undefined;
  for (const expected of [700, 700, 600, 0]) {
    const page = await overdueDeliveries(db, { limit: 700, after });
    expect(page).toHaveLength(expected);
    seen.push(...idsOf(page));
    after = page.at(-1) ?? after;
  }
  expect(new Set(seen).size).toBe(2_000);
});

describe('overdue retries', () => {
  test('are read for each workspace, ten of each, the longest overdue first, without first attempts', async () => {
    const quiet = await insertEndpoint(db);
    await insertMany(3_000, { step: 0 });
    await insertMany(50, { step: 1, from: 10_000 });
    const longest = await insertDelivery(db, endpoint, {
      status: 'scheduled_retry',
      scheduleStep: 4,
      dueInSeconds: -600,
    });
    const single = await insertDelivery(db, quiet, { status: 'scheduled_retry', scheduleStep: 1, dueInSeconds: -5 });
    await insertDelivery(db, quiet, { status: 'scheduled_retry', scheduleStep: 1, dueInSeconds: 600 });
    const { rows, nextWorkspaceId } = await overdueRetries(db);
    const of = ({ workspaceId }: EndpointRow) => rows.filter((row) => row.workspaceId === workspaceId);
    expect(of(endpoint)).toHaveLength(10);
    expect(of(endpoint)[0]?.deliveryId).toBe(longest.deliveryId);
    expect(idsOf(of(quiet))).toEqual([single.deliveryId]);
    expect([rows.length, nextWorkspaceId]).toEqual([11, undefined]);
  });

  test('of more than 50 workspaces are read in several calls, each workspace once', async () => {
    const endpoints: EndpointRow[] = [];
    for (let n = 0; n < 120; n += 1) endpoints.push(await insertEndpoint(db));
    for (const one of endpoints) {
      await insertDelivery(db, one, { status: 'scheduled_retry', scheduleStep: 1, dueInSeconds: -5 });
    }
    const seen: string[] = [];
    let next: string | undefined;
    const sizes: number[] = [];
    do {
      const turn = await overdueRetries(db, next);
      sizes.push(turn.rows.length);
      seen.push(...turn.rows.map(({ workspaceId }) => workspaceId));
      next = turn.nextWorkspaceId;
    } while (next !== undefined);
    expect(sizes).toEqual([50, 50, 20]);
    expect(seen.sort()).toEqual(endpoints.map(({ workspaceId }) => workspaceId).sort());
  }, 60_000);

  test('are none for a workspace whose retries are not due, and the workspace is not read again', async () => {
    await insertDelivery(db, endpoint, { status: 'scheduled_retry', scheduleStep: 1, dueInSeconds: 60 });
    expect(await overdueRetries(db)).toEqual({ rows: [], nextWorkspaceId: undefined });
  });
});
