import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { pace, type Throttle } from '../throttle.ts';
import { createThrottle } from './throttle.ts';

// Tests for Postgres only. packages/queue/contract tests the promises of every throttle.

const RATE = { limit: 2, periodSeconds: 100 };
const SLOT = { holder: randomUUID(), max: 1, leaseMs: 60_000 };

let database: TestDatabase;
let throttle: Throttle;
beforeAll(async () => {
  database = await createTestDatabase();
  throttle = createThrottle({ db: database.db, onError: () => {} });
});
afterAll(async () => {
  throttle.close();
  await database.drop();
});

async function usedMs(endpointId: string): Promise<number> {
  const [row] = await database.db.$queryRaw<{ ms: number }[]>`
    select ms_of(used_until) as ms from rate_state where endpoint_id = ${endpointId}::uuid and rate <> ''`;
  return row?.ms ?? Number.NaN;
}

test('a rate keeps the distance from a request that was late, once for each period', async () => {
  const quick = { limit: 10, periodSeconds: 100 };
  const { slackMs } = pace(quick);
  const endpointId = randomUUID();
  await throttle.takeTime(endpointId, quick);
  const before = await usedMs(endpointId);
  for (const lateMs of [0, 400, 300, 400, 500]) throttle.tellLate(endpointId, quick, slackMs + lateMs);
  // A later question is answered after them.
  await throttle.reserveTimes(endpointId, quick, { most: 0, aheadMs: 0 });
  expect(Math.round((await usedMs(endpointId)) - before)).toBe(500);
  await database.db.$executeRaw`
    update rate_state set late_until = now() - interval '1 s' where endpoint_id = ${endpointId}::uuid`;
  throttle.tellLate(endpointId, quick, slackMs + 100);
  await throttle.reserveTimes(endpointId, quick, { most: 0, aheadMs: 0 });
  expect(Math.round((await usedMs(endpointId)) - before)).toBe(600);
});

test('a turn of a line that begins late takes the times that have passed, and a new delivery takes none', async () => {
  const quick = { limit: 10, periodSeconds: 50 };
  const { intervalMs, passedMs } = pace(quick);
  const endpointId = randomUUID();
  await throttle.takeTime(endpointId, quick);
  const isUsedUpSince = (ms: number) => database.db.$executeRaw`
    update rate_state set used_until = clock_timestamp() - make_interval(secs => ${ms / 1_000}::float8)
    where endpoint_id = ${endpointId}::uuid and rate <> ''`;
  const turn = () => throttle.reserveTimes(endpointId, quick, { most: 2, aheadMs: 0 });
  await isUsedUpSince(passedMs / 2);
  const { waitsMs, nextMs } = await turn();
  expect(waitsMs).toHaveLength(1);
  expect(waitsMs[0]).toBeLessThan(-passedMs / 2 + 5);
  expect(nextMs).toBeCloseTo(intervalMs + (waitsMs[0] ?? 0));
  await isUsedUpSince(60_000);
  expect((await turn()).waitsMs[0]).toBeCloseTo(-passedMs);
  await isUsedUpSince(passedMs / 2);
  expect(await throttle.takeTime(endpointId, quick)).toEqual({ kind: 'now' });
  expect(await throttle.takeTime(endpointId, quick)).toEqual({ kind: 'wait', waitMs: expect.any(Number) });
  expect((await turn()).nextMs).toBeGreaterThan(intervalMs - passedMs / 2);
});

test('times that a clock ahead has left stop no rate, no new delivery and no slot', async () => {
  const endpointId = randomUUID();
  await database.db.$executeRaw`
    insert into rate_state (endpoint_id, rate, used_until, told_late_ms, late_until, line_until)
    values (${endpointId}::uuid, '', null, null, null, now() + interval '1 day'),
      (${endpointId}::uuid, '2/100', now() + interval '1 day', 900, now() + interval '1 day', null)`;
  await database.db.$executeRaw`
    insert into held (kind, subject, holder, until) values (1, ${endpointId}::uuid, ${randomUUID()}::uuid, now() + interval '1 day')`;
  expect(await throttle.takeSlot(endpointId, { ...SLOT, isTurn: false })).toBe(true);
  const { nextMs } = await throttle.reserveTimes(endpointId, RATE, { most: 1, aheadMs: 0 });
  expect(nextMs).toBeLessThan(2_500 * RATE.periodSeconds);
});

test('dispatchers that ask about the same endpoints in every order answer each other, and lose no time of a rate', async () => {
  const throttles = [1, 2, 3].map(() => createThrottle({ db: database.db, onError: () => {} }));
  const endpoints = Array.from({ length: 40 }, () => randomUUID());
  const ahead = { most: 2, aheadMs: 1_000 };
  const asked = throttles.flatMap((one, n) =>
    [0, 1].flatMap((turn) => {
      const inOrder = (n + turn) % 2 === 0 ? endpoints : endpoints.toReversed();
      return inOrder.flatMap((endpointId) => {
        one.markLine(endpointId, 60_000);
        return [one.reserveTimes(endpointId, RATE, ahead).then(({ waitsMs }) => ({ endpointId, waitsMs }))];
      });
    }),
  );
  const times = await Promise.all(asked);
  // The interval is longer than the time that can be reserved ahead, so each endpoint has only one time.
  const perEndpoint = endpoints.map(
    (id) => times.filter((one) => one.endpointId === id && one.waitsMs.length > 0).length,
  );
  expect(perEndpoint).toEqual(endpoints.map(() => 1));
  for (const one of throttles) one.close();
});

test('rows are swept a minute after their last time, and those that count are kept', async () => {
  const [old, recent] = [randomUUID(), randomUUID()];
  const { db } = database;
  await db.$executeRaw`
    insert into rate_state (endpoint_id, rate, used_until, line_until)
    values (${old}::uuid, '2/100', now() - interval '61 s', null), (${old}::uuid, '', null, null),
      (${recent}::uuid, '2/100', now() - interval '30 s', null), (${recent}::uuid, '', null, now() + interval '5 s')`;
  await db.$executeRaw`
    insert into held (kind, subject, holder, until)
    values (1, ${old}::uuid, ${old}::uuid, now() - interval '1 s'), (1, ${recent}::uuid, ${recent}::uuid, now() + interval '1 minute')`;
  await db.$executeRaw`
    insert into probe (id, task, owner_rank, reply_to, begins_by, ends_by)
    values (${old}::uuid, '{}', 1, ${old}::uuid, now(), now() - interval '61 s'), (${recent}::uuid, '{}', 1, ${recent}::uuid, now(), now())`;
  // A new throttle sweeps in its first round.
  const sweeper = createThrottle({ db, onError: () => {} });
  const left = async () => {
    const rows = await db.$queryRaw<{ id: string; kind: string }[]>`
      select endpoint_id as id, 'rate' as kind from rate_state where endpoint_id in (${old}::uuid, ${recent}::uuid)
      union all select subject, 'held' from held where subject in (${old}::uuid, ${recent}::uuid)
      union all select id, 'probe' from probe where id in (${old}::uuid, ${recent}::uuid)`;
    return rows.map(({ id, kind }) => `${id === old ? 'old' : 'recent'} ${kind}`).sort();
  };
  await waitFor(async () => (await left()).every((name) => name.startsWith('recent')), { what: 'the sweep' });
  expect(await left()).toEqual(['recent held', 'recent probe', 'recent rate', 'recent rate']);
  sweeper.close();
});

test('what Postgres has lost in a crash costs one period at most, and stops nothing', async () => {
  const endpointId = randomUUID();
  await throttle.takeTime(endpointId, RATE);
  await throttle.takeSlot(endpointId, SLOT);
  await database.db.$executeRaw`truncate rate_state, held`;
  expect(await throttle.takeTime(endpointId, RATE)).toEqual({ kind: 'now' });
  expect(await throttle.takeTime(endpointId, RATE)).toMatchObject({ kind: 'wait' });
  expect(await throttle.takeSlot(endpointId, { ...SLOT, isTurn: true })).toBe(true);
});
