import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { createDb } from '@posthorn/db/client';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { failsOnPurpose } from '@posthorn/testkit/fails-on-purpose';
import { createGatherer, type Gatherer } from './gather.ts';
import { fromEntries, quantiles } from './histogram.ts';
import { createStatsWriter } from './write.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
let applicationId: string;
beforeEach(async () => {
  endpoint = await insertEndpoint(db);
  applicationId = randomUUID();
  await db.application.create({ data: { id: applicationId, workspaceId: endpoint.workspaceId, name: 'Globex' } });
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { applicationId } });
});

const newGatherer = () => createGatherer({ nowMs: Date.now, onFull: () => {}, onDropped: () => {} });
const facts = (eventType: string | null = 'a.b') => {
  const { workspaceId, endpointId } = endpoint;
  return { workspaceId, endpointId, eventType };
};
const countAttempts = (gatherer: Gatherer, times: number, durationMs: number, eventType = 'a.b') => {
  for (let n = 0; n < times; n += 1) {
    gatherer.countAttempt(facts(eventType), { succeeded: true, durationMs, delayMs: null });
  }
};
const rowsOf = (subjectId: string) =>
  db.stat.findMany({ where: { subjectId }, orderBy: [{ isHour: 'asc' }, { eventType: 'asc' }] });

test('an attempt is counted for its endpoint, its application and its environment, by minute and hour', async () => {
  const gatherer = newGatherer();
  countAttempts(gatherer, 2, 10);
  gatherer.countEnded(facts(null), 'dead_letter');
  await createStatsWriter(db, gatherer)();
  const shapes = async (subjectId: string) =>
    (await rowsOf(subjectId)).map((row) => [row.isHour, row.eventType, row.attempts, row.deadLettered]);
  const hours = [
    [true, '', 0, 1],
    [true, '*', 2, 1],
    [true, 'a.b', 2, 0],
  ];
  const minutes = hours.map(([, ...figures]) => [false, ...figures]);
  expect(await shapes(endpoint.endpointId)).toEqual([minutes[0], minutes[2], ...hours]);
  expect(await shapes(applicationId)).toEqual([...minutes, ...hours]);
  expect(await shapes(endpoint.environmentId)).toEqual([...minutes, ...hours]);
});

test('the bytes of attempts are added to the day of their workspace, and kept while they cannot be written', async () => {
  const away = createDb({
    databaseUrl: 'postgres://posthorn@127.0.0.1:1/none',
    maxConnections: 1,
    onIdleError: () => {},
  });
  const gatherer = newGatherer();
  const { workspaceId } = endpoint;
  gatherer.countAttemptBytes(workspaceId, 400);
  await expect(createStatsWriter(away, gatherer)()).rejects.toThrow();
  await away.$disconnect();
  gatherer.countAttemptBytes(workspaceId, 30);
  await createStatsWriter(db, gatherer)();
  await createStatsWriter(db, gatherer)();
  gatherer.countAttemptBytes(workspaceId, 2);
  await createStatsWriter(db, gatherer)();
  const rows = await db.workspaceUsage.findMany({ where: { workspaceId } });
  expect(rows.reduce((sum, row) => sum + Number(row.attemptBytes), 0)).toBe(432);
});

test('many processes that write the same rows at once lose nothing and do not deadlock', async () => {
  const processes = Array.from({ length: 5 }, () => {
    const gatherer = newGatherer();
    return { gatherer, write: createStatsWriter(db, gatherer) };
  });
  await Promise.all(
    processes.map(async ({ gatherer, write }, index) => {
      for (let round = 0; round < 5; round += 1) {
        // Each process meets the types in another order.
        for (let n = 0; n < 40; n += 1) countAttempts(gatherer, 1, 100 * (index + 1), `t.t${(n * (index + 1)) % 41}`);
        await write();
      }
    }),
  );
  const [hour] = (await rowsOf(endpoint.environmentId)).filter((row) => row.isHour && row.eventType === '*');
  expect([hour?.attempts, hour?.succeeded]).toEqual([1_000, 1_000]);
  const [p20, p50, p100] = quantiles(fromEntries((hour?.duration ?? []).map(Number)), [0.2, 0.5, 1]);
  for (const [told, exact] of [
    [p20, 100],
    [p50, 300],
    [p100, 500],
  ]) {
    expect(Math.abs((told ?? 0) - (exact ?? 0))).toBeLessThanOrEqual(0.05 * (exact ?? 0));
  }
});

test('what could not be written is kept and written later; a cell without its endpoint disturbs no other', async () => {
  const gatherer = newGatherer();
  countAttempts(gatherer, 1, 10);
  gatherer.countEnded({ ...facts(), endpointId: randomUUID() }, 'failed');
  await failsOnPurpose(db);
  await db.$executeRaw`alter table stat rename to stat_away`;
  // The table is missing, so the statement can never succeed, and the cells are dropped.
  await expect(createStatsWriter(db, gatherer)()).rejects.toThrow();
  expect(gatherer.take()).toEqual([]);
  await db.$executeRaw`alter table stat_away rename to stat`;
  countAttempts(gatherer, 1, 10);
  const nowhere = createDb({
    databaseUrl: 'postgres://posthorn@127.0.0.1:1/none',
    maxConnections: 1,
    onIdleError: () => {},
  });
  await expect(createStatsWriter(nowhere, gatherer)()).rejects.toThrow();
  await nowhere.$disconnect();
  await createStatsWriter(db, gatherer)();
  expect((await rowsOf(endpoint.environmentId)).filter((row) => row.isHour && row.eventType === '*')).toMatchObject([
    { attempts: 1 },
  ]);
});

test('bytes of attempts that can never be written do not keep the statistics from being written', async () => {
  const gatherer = newGatherer();
  const write = createStatsWriter(db, gatherer);
  countAttempts(gatherer, 1, 10);
  gatherer.countAttemptBytes(endpoint.workspaceId, 7);
  await failsOnPurpose(db);
  await db.$executeRaw`alter table workspace_usage rename to workspace_usage_away`;
  await expect(write()).rejects.toThrow();
  await db.$executeRaw`alter table workspace_usage_away rename to workspace_usage`;
  expect(await rowsOf(endpoint.environmentId)).not.toEqual([]);
  expect(gatherer.takeAttemptBytes()).toEqual(new Map());
});
