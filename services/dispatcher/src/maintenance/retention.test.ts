import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { withConnection } from '@posthorn/db/connection';
import { ensurePartitions } from '@posthorn/db/partitions';
import { systemClock } from '@posthorn/runtime/clock';
import { createGatherer } from '@posthorn/stats/gather';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { keepRetention } from './retention.ts';

let database: TestDatabase;
let failed: string[];
let daysAhead: number[];
beforeEach(async () => {
  failed = [];
  daysAhead = [];
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
    onPartitionsAhead: (days) => daysAhead.push(days),
    onError: (step) => failed.push(step),
    ...(stopped && { stopped }),
  });

const execute = (statement: string) =>
  withConnection(database.databaseUrl, async (connection) => void (await connection.query(statement)));

/** Makes partitions of ten days ago, and returns the oldest of `event`. */
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
      disabledEndpoints: [],
      expiredDeliveries: 0,
      partitionsAhead: 14,
      droppedPartitions: expect.arrayContaining([expect.stringMatching(/^event_/)]),
      historyRows: 0,
      auditEntries: 0,
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

test('a failed step is reported by its name, and the other steps still run', async () => {
  const partition = await leaveExpired();
  await execute(`create view holds_it as select * from ${partition}`);
  expect(await keep()).toMatchObject({ droppedPartitions: null, auditEntries: 0 });
  expect(failed).toEqual(['droppedPartitions']);
});

test('no partition is dropped before its open deliveries are ended', async () => {
  await leaveExpired();
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
