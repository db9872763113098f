import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ensurePartitions, withConnection } from '@posthorn/db/partitions';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { seedWorkspace } from '@posthorn/testkit/seed';
import { keepRetention } from './retention.ts';

let database: TestDatabase;
let failed: string[];
beforeEach(async () => {
  failed = [];
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const keep = () =>
  keepRetention({
    db: database.db,
    databaseUrl: database.databaseUrl,
    ownerDatabaseUrl: database.databaseUrl,
    retentionDays: 7,
    onError: (step) => failed.push(step),
  });

const execute = (statement: string) =>
  withConnection(database.databaseUrl, async (connection) => void (await connection.query(statement)));

/** A record whose key may be used again, and partitions of ten days ago; answers the oldest of events. */
async function leaveExpired(): Promise<string> {
  await seedWorkspace(database.db);
  const { id: environmentId } = await database.db.environment.findFirstOrThrow();
  const expiresAt = new Date(Date.now() - 86_400_000);
  await database.db.idempotencyRecord.create({
    data: { environmentId, key: 'k', requestHash: Buffer.alloc(32), eventId: randomUUID(), published: true, expiresAt },
  });
  const tenDaysAgo = new Date(Date.now() - 10 * 86_400_000);
  await withConnection(database.databaseUrl, (connection) => ensurePartitions(connection, tenDaysAgo));
  return `event_${tenDaysAgo.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

test('takes every step, and answers what each did', async () => {
  await leaveExpired();
  const kept = await keep();
  expect([kept, failed]).toEqual([
    {
      disabledEndpoints: [],
      expiredDeliveries: 0,
      partitionsAhead: true,
      droppedPartitions: expect.arrayContaining([expect.stringMatching(/^event_/)]),
      idempotencyRecords: 1,
      auditEntries: 0,
    },
    [],
  ]);
});

test('a step that fails is told by its name and stops no other', async () => {
  const partition = await leaveExpired();
  await execute(`create view holds_it as select * from ${partition}`);
  expect(await keep()).toMatchObject({ droppedPartitions: null, idempotencyRecords: 1, auditEntries: 0 });
  expect(failed).toEqual(['droppedPartitions']);
});

test('no partition goes before what is open in it has been ended', async () => {
  await leaveExpired();
  await execute('alter table delivery rename column failure_reason to gone');
  expect(await keep()).toMatchObject({ expiredDeliveries: null, droppedPartitions: null, idempotencyRecords: 1 });
  expect(failed).toEqual(['expiredDeliveries']);
});
