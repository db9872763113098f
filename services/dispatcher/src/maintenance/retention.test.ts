import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { withConnection } from '@posthorn/db/connection';
import { ensurePartitions } from '@posthorn/db/partitions';
import { countUsage } from '@posthorn/ledger/count-usage';
import { systemClock } from '@posthorn/runtime/clock';
import { createGatherer } from '@posthorn/stats/gather';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { failsOnPurpose } from '@posthorn/testkit/fails-on-purpose';
import { whileLocked } from '@posthorn/testkit/row-lock';
import { waitFor } from '@posthorn/testkit/wait-for';
import { keepRetention, type RetentionResult } from './retention.ts';

let database: TestDatabase;
let failed: string[];
let daysAhead: number[];
let shown: string[];
beforeEach(async () => {
  failed = [];
  daysAhead = [];
  shown = [];
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const keep = (stopped?: AbortSignal) =>
  keepRetention({
    db: database.db,
    databaseUrl: database.databaseUrl,
    ownerDatabaseUrl: database.databaseUrl,
    retentionDays: 7,
    clock: systemClock,
    stats: createGatherer({ nowMs: Date.now, onFull: () => {}, onDropped: () => {} }),
    live: { deliveryChanged: ({ deliveryId }) => void shown.push(deliveryId) },
    onPartitionsAhead: (days) => daysAhead.push(days),
    onError: (step) => failed.push(step),
    ...(stopped && { stopped }),
  });

const execute = (statement: string) =>
  withConnection(database.databaseUrl, async (connection) => void (await connection.query(statement)));

/** Creates partitions of ten days ago, and returns the oldest one of `event`. */
async function leaveExpired(): Promise<string> {
  const tenDaysAgo = new Date(Date.now() - 10 * 86_400_000);
  await withConnection(database.databaseUrl, (connection) => ensurePartitions(connection, tenDaysAgo));
  return `event_${tenDaysAgo.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

test('runs every step, and returns the result of each', async () => {
  await leaveExpired();
  const kept = await keep();
  expect([kept, failed]).toEqual([
    {
      usage: expect.any(Number),
      disabledEndpoints: [],
      expiredDeliveries: 0,
      partitionsAhead: 14,
      droppedPartitions: expect.arrayContaining([expect.stringMatching(/^event_/)]),
      historyRows: 0,
      auditEntries: 0,
      portalSessions: 0,
      operations: 0,
    },
    [],
  ]);
});

test('a round that is stopped ends, and drops no partition', async () => {
  await leaveExpired();
  const kept = await keep(AbortSignal.abort());
  expect([new Set(Object.values(kept)), failed]).toEqual([new Set([null]), []]);
});

test('a day stays until its usage has been counted, whichever process counts it', async () => {
  await leaveExpired();
  const nextDay = Math.ceil(TEN_DAYS_AGO.getTime() / 86_400_000) * 86_400_000;
  const key = newUuid(new Date(nextDay - 30_000));
  await insertDelivery(database.db, await insertEndpoint(database.db), {
    key,
    status: 'delivered',
    dueInSeconds: null,
  });
  await database.db.usageCount.updateMany({ data: { countedTo: new Date(nextDay - 60_000) } });
  // Another process holds the count, and has not yet reached the day.
  const held = { sql: 'select from usage_count for update', values: [] };
  await whileLocked(database.databaseUrl, held, async () => {
    expect((await keep()).droppedPartitions).toBeNull();
  });
  expect([failed, await database.db.event.count()]).toEqual([['droppedPartitions'], 1]);
  expect(await database.db.applicationUsage.count()).toBe(0);
  await countUsage(database.db, { lagMs: Date.now() - nextDay });
  await whileLocked(database.databaseUrl, held, keep);
  expect(await database.db.event.count()).toBe(0);
  expect(await database.db.applicationUsage.findMany()).toMatchObject([{ events: 1n, deliveries: 1n, bytes: 6n }]);
});

const TEN_DAYS_AGO = new Date(Date.now() - 10 * 86_400_000);

const waitingForLocks = async () => {
  const rows = await database.db.$queryRaw<object[]>`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length;
};

/** Each step has work for more than one batch, partition or endpoint, and a lock for which the first of them waits. */
const STEPS: { step: keyof RetentionResult; prepare: () => Promise<unknown>; lock: string; done: unknown }[] = [
  {
    step: 'expiredDeliveries',
    async prepare() {
      await leaveExpired();
      const endpoint = await insertEndpoint(database.db);
      const ids = Array.from({ length: 251 }, () => newUuid(TEN_DAYS_AGO));
      const rows = ids.map((id) => ({ ...endpoint, id, eventId: id, eventType: 'a', dueAt: TEN_DAYS_AGO }));
      await database.db.delivery.createMany({ data: rows });
    },
    lock: 'lock table delivery',
    done: 250,
  },
  {
    step: 'disabledEndpoints',
    async prepare() {
      for (const _ of [1, 2]) {
        const { endpointId } = await insertEndpoint(database.db);
        const health = { consecutiveFailures: 9, failingSince: TEN_DAYS_AGO, lastFailureAt: new Date() };
        await database.db.endpointHealth.create({ data: { endpointId, ...health } });
      }
    },
    lock: 'select from endpoint for update',
    done: [expect.any(String)],
  },
  {
    step: 'droppedPartitions',
    prepare: leaveExpired,
    lock: 'lock table event in access share mode',
    done: [expect.stringMatching(/^event_/)],
  },
  {
    step: 'historyRows',
    prepare: () =>
      execute(`insert into ended_publication (environment_id, event_type, event_type_id, started_at, ended_at)
        select gen_random_uuid(), 'a', gen_random_uuid(), now() - interval '20 days', now() - interval '10 days'
        from generate_series(1, 10001)`),
    lock: 'lock table ended_publication',
    done: 10_000,
  },
  {
    step: 'auditEntries',
    prepare: () =>
      execute(`insert into audit_entry (id, workspace_id, actor_type, actor_id, actor_label, action, resource_type,
          resource_id, metadata, created_at)
        select gen_random_uuid(), '${randomUUID()}', 'user', 'usr_1', 'Ann', 'endpoint.created', 'endpoint', 'ep_1', '{}',
          now() - interval '366 days' from generate_series(1, 1001)`),
    lock: 'select from audit_chain for update',
    done: 1_000,
  },
  {
    step: 'operations',
    prepare: () =>
      execute(`insert into operation (id, workspace_id, type, filter, scope, created_at, finished_at)
        select gen_random_uuid(), gen_random_uuid(), 'retry', '{}', '{}', now() - interval '10 days', now()
        from generate_series(1, 21)`),
    lock: 'lock table operation',
    done: 20,
  },
];

test.each(STEPS)(
  'a round that is stopped in $step ends after the present batch',
  async ({ step, prepare, lock, done }) => {
    await prepare();
    // Leave nothing to count, because counting would wait for the lock first.
    await database.db.usageCount.updateMany({ data: { countedTo: new Date() } });
    const stopping = new AbortController();
    let round: Promise<RetentionResult> | undefined;
    await whileLocked(database.databaseUrl, { sql: lock, values: [] }, async () => {
      round = keep(stopping.signal);
      await waitFor(async () => (await waitingForLocks()) === 1, { what: `${step} to wait for the lock` });
      stopping.abort();
    });
    const kept = await round;
    expect([kept?.[step], failed]).toEqual([done, []]);
    // No further step has begun.
    expect(kept?.operations).toEqual(step === 'operations' ? done : null);
  },
);

test('docs/interface.md, Live view: live streams are told of each delivery that ends with its retention', async () => {
  await leaveExpired();
  const endpoint = await insertEndpoint(database.db);
  const ids = Array.from({ length: 251 }, () => newUuid(TEN_DAYS_AGO));
  const isTest = (id: string) => id === ids[0];
  const rows = ids.map((id) => ({
    ...endpoint,
    id,
    eventId: id,
    eventType: 'a',
    isTest: isTest(id),
    dueAt: TEN_DAYS_AGO,
  }));
  await database.db.delivery.createMany({ data: rows });
  expect(await keep()).toMatchObject({ expiredDeliveries: 251 });
  expect([...shown].sort()).toEqual([...ids].sort());
});

test('a failed step is reported by its name, and the other steps still run', async () => {
  const partition = await leaveExpired();
  await execute(`create view holds_it as select * from ${partition}`);
  expect(await keep()).toMatchObject({ droppedPartitions: null, auditEntries: 0 });
  expect(failed).toEqual(['droppedPartitions']);
});

test('no partition is dropped before its open deliveries are ended', async () => {
  await leaveExpired();
  await failsOnPurpose(database.db);
  await execute('alter table delivery rename column failure_reason to gone');
  expect(await keep()).toMatchObject({ expiredDeliveries: null, droppedPartitions: null });
  expect(failed).toEqual(['expiredDeliveries']);
});

test('the number of days ahead with partitions is reported, even if no more can be made', async () => {
  await keep();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  await execute(`drop table attempt_${tomorrow}; create view attempt_${tomorrow} as select 1`);
  expect(await keep()).toMatchObject({ partitionsAhead: null, auditEntries: 0 });
  expect([failed, daysAhead]).toEqual([['partitionsAhead'], [14, 0]]);
});
