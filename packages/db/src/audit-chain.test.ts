import { randomUUID as newUuid } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { findBrokenAuditChains, trimAuditLog } from './audit-chain.ts';

let database: TestDatabase;
let workspaceId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  workspaceId = newUuid();
});
afterAll(() => database.drop());

async function enter(resourceId: string, createdAt?: Date): Promise<string> {
  const { id } = await database.db.auditEntry.create({
    data: {
      id: newUuid(),
      workspaceId,
      actorType: 'user',
      actorId: 'usr_1',
      actorLabel: 'Ann',
      action: 'endpoint.created',
      resourceType: 'endpoint',
      resourceId,
      metadata: { changes: { url: { from: null, to: 'https://example.com/ü' } } },
      ...(createdAt === undefined ? {} : { createdAt }),
    },
  });
  return id;
}

/** As someone would who may switch triggers off. */
async function tamper(sql: () => Promise<number>): Promise<void> {
  const { db } = database;
  await db.$executeRaw`alter table audit_entry disable trigger user`;
  await sql();
  await db.$executeRaw`alter table audit_entry enable trigger user`;
}

const broken = async () => (await findBrokenAuditChains(database.db)).filter((one) => one.workspaceId === workspaceId);

test('entries are numbered and chained in each workspace, also when many are written at once', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => enter(`ep_${index}`)));
  const rows = await database.db.auditEntry.findMany({ where: { workspaceId }, orderBy: { sequence: 'asc' } });
  expect(rows.map((row) => Number(row.sequence))).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect(await broken()).toEqual([]);
});

test('an altered entry is named, and it is the first one of several', async () => {
  const ids = [await enter('ep_1'), await enter('ep_2'), await enter('ep_3')];
  await tamper(() => database.db.$executeRaw`update audit_entry set actor_label = 'Eve' where id = ${ids[1]}::uuid`);
  await tamper(() => database.db.$executeRaw`update audit_entry set actor_label = 'Eve' where id = ${ids[2]}::uuid`);
  expect(await broken()).toEqual([{ workspaceId, sequence: 2n, entryId: ids[1] }]);
});

test('a removed entry is found, in the middle and at the end', async () => {
  const ids = [await enter('ep_1'), await enter('ep_2'), await enter('ep_3')];
  await tamper(() => database.db.$executeRaw`delete from audit_entry where id = ${ids[2]}::uuid`);
  expect(await broken()).toEqual([{ workspaceId, sequence: 3n, entryId: null }]);
  await tamper(() => database.db.$executeRaw`delete from audit_entry where id = ${ids[0]}::uuid`);
  expect(await broken()).toMatchObject([{ sequence: 2n }]);
});

test('entries can be neither updated nor deleted early nor truncated', async () => {
  const id = await enter('ep_1');
  const { db } = database;
  await expect(db.$executeRaw`update audit_entry set actor_label = 'Eve' where id = ${id}::uuid`).rejects.toThrow();
  await expect(db.$executeRaw`delete from audit_entry where id = ${id}::uuid`).rejects.toThrow();
  await expect(db.$executeRaw`truncate audit_entry`).rejects.toThrow();
  expect(await db.auditEntry.count({ where: { workspaceId } })).toBe(1);
});

test('retention takes the old end only, and what is left still verifies from the anchor', async () => {
  const longAgo = new Date(Date.now() - 366 * 86_400_000);
  await enter('ep_1', longAgo);
  await enter('ep_2', longAgo);
  const kept = await enter('ep_3');
  const behind = await enter('ep_4', longAgo);
  expect(await trimAuditLog(database.db)).toBe(2);
  const rows = await database.db.auditEntry.findMany({ where: { workspaceId }, orderBy: { sequence: 'asc' } });
  expect(rows.map((row) => row.id)).toEqual([kept, behind]);
  expect(await broken()).toEqual([]);
});
