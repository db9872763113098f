import { afterAll, expect, test } from '@jest/globals';
import { whileLocked } from '@posthorn/testkit/row-lock';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startApi } from '../test/api-under-test.ts';
import { createCaller, managementCaller } from '../test/caller.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

const waitingForLocks = async ({ db } = api) => {
  const rows = await db.$queryRaw<object[]>`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length;
};

test('while the changes of three workspaces wait for locks, another one authenticates and reads', async () => {
  const blocked = await Promise.all([1, 2, 3].map(() => api.seedAnother()));
  const callers = blocked.map(({ workspaceId, managementToken }) =>
    managementCaller(api.app, { workspaceId, managementToken }),
  );
  const changes: Promise<unknown>[] = [];
  await whileLocked(api.databaseUrl, { sql: 'lock table audit_entry in exclusive mode', values: [] }, async () => {
    for (const call of callers) {
      for (const name of ['a', 'b']) changes.push(call('post', '/event-types', { name }).then(({ status }) => status));
    }
    await waitFor(async () => (await waitingForLocks()) >= 3, { what: 'the changes to wait for the lock' });
    const call = createCaller(api.app, { base: api.base, token: api.managementToken });
    for (let read = 0; read < 20; read += 1) expect((await call('get', '/environments')).status).toBe(200);
    expect(await waitingForLocks()).toBeGreaterThanOrEqual(3);
  });
  await Promise.all(changes);
});

test('while every management connection waits for a lock, an API without Redis still shows itself to the dispatchers', async () => {
  const alone = await startApi({ settings: { REDIS_URL: undefined } });
  const seen = async () =>
    (await alone.db.$queryRaw<[{ at: string }]>`select max(seen_at)::text as at from worker`)[0].at;
  const waitForLock = async () => await alone.services.db.$queryRaw`select pg_advisory_xact_lock(1)::text`;
  const waits: Promise<unknown>[] = [];
  await whileLocked(alone.databaseUrl, { sql: 'select pg_advisory_xact_lock(1)', values: [] }, async () => {
    for (let taken = 0; taken < 6; taken += 1) waits.push(waitForLock());
    await waitFor(async () => (await waitingForLocks(alone)) === 6, { what: 'the connections to be taken' });
    const before = await seen();
    await waitFor(async () => (await seen()) !== before, { what: 'the API to show itself' });
  });
  await Promise.all(waits);
  await alone.stop();
});
