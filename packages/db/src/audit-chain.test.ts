import { randomUUID as newUuid } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type ChainBreak, trimAuditLog, type VerifiedChain, verifyAuditChains } from './audit-chain.ts';
import { eraseAuditValues } from './audit-values.ts';
import { withConnection } from './connection.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

let workspaceId: string;
beforeEach(() => {
  workspaceId = newUuid();
});

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

/** Acts as an attacker with the right to switch triggers off. */
async function tamper(sql: () => Promise<number>): Promise<void> {
  const { db } = database;
  await db.$executeRaw`alter table audit_entry disable trigger user`;
  await sql();
  await db.$executeRaw`alter table audit_entry enable trigger user`;
}

async function verify(): Promise<VerifiedChain[]> {
  const chains: VerifiedChain[] = [];
  for await (const chain of verifyAuditChains(database.db)) {
    if (chain.workspaceId === workspaceId) chains.push(chain);
  }
  return chains;
}
const firstBreak = async (): Promise<ChainBreak | null | undefined> => (await verify())[0]?.firstBreak;
const trim = () => withConnection(database.databaseUrl, trimAuditLog);

const LONG_AGO = new Date(Date.now() - 366 * 86_400_000);

/** Inserts many entries in one statement; the trigger chains them. */
async function enterMany(count: number, createdAt = new Date()): Promise<void> {
  await database.db.$executeRaw`
    insert into audit_entry (id, workspace_id, actor_type, actor_id, actor_label, action, resource_type, resource_id,
      metadata, created_at)
    select gen_random_uuid(), ${workspaceId}::uuid, 'user', 'usr_1', 'Ann', 'endpoint.created', 'endpoint', n::text,
      '{}', ${createdAt} from generate_series(1, ${count}::int) as n`;
}

test('entries are numbered and chained in each workspace, even when many are written at once', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => enter(`ep_${index}`)));
  const rows = await database.db.auditEntry.findMany({ where: { workspaceId }, orderBy: { sequence: 'asc' } });
  expect(rows.map((row) => Number(row.sequence))).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect(await firstBreak()).toBeNull();
});

test('of several altered entries the first one is reported', async () => {
  const ids = [await enter('ep_1'), await enter('ep_2'), await enter('ep_3')];
  await tamper(() => database.db.$executeRaw`update audit_entry set actor_label = 'Eve' where id = ${ids[1]}::uuid`);
  await tamper(() => database.db.$executeRaw`update audit_entry set actor_label = 'Eve' where id = ${ids[2]}::uuid`);
  expect(await firstBreak()).toEqual({ kind: 'entry', sequence: 2n, entryId: ids[1] });
});

test('a removed entry is found, in the middle and at the end', async () => {
  const ids = [await enter('ep_1'), await enter('ep_2'), await enter('ep_3')];
  await tamper(() => database.db.$executeRaw`delete from audit_entry where id = ${ids[2]}::uuid`);
  expect(await firstBreak()).toEqual({ kind: 'newest_missing', sequence: 3n });
  await tamper(() => database.db.$executeRaw`delete from audit_entry where id = ${ids[0]}::uuid`);
  expect(await firstBreak()).toMatchObject({ kind: 'entry', sequence: 2n });
});

test('an entry that is inserted before the anchor is found', async () => {
  await enterMany(2, LONG_AGO);
  await enter('ep_kept');
  await trim();
  await tamper(
    () => database.db.$executeRaw`
      insert into audit_entry (id, workspace_id, actor_type, actor_id, actor_label, action, resource_type, resource_id,
        metadata, sequence) values (gen_random_uuid(), ${workspaceId}::uuid, 'user', 'usr_1', 'Eve', 'endpoint.created',
        'endpoint', 'ep_1', '{}', 1)`,
  );
  expect(await firstBreak()).toMatchObject({ kind: 'entry', sequence: 1n });
});

test('a chain longer than a page is verified across its pages, and its head is returned', async () => {
  await enterMany(4_500);
  const { sequence, hash } = await database.db.auditEntry.findFirstOrThrow({
    where: { workspaceId },
    orderBy: { sequence: 'desc' },
  });
  const head = { sequence: 4_500n, hash: Buffer.from(hash).toString('hex') };
  expect([sequence, await verify()]).toEqual([
    4_500n,
    [{ workspaceId, head, anchor: null, erased: 0, firstBreak: null }],
  ]);
  await tamper(
    () => database.db.$executeRaw`update audit_entry set actor_label = 'Eve'
      where workspace_id = ${workspaceId}::uuid and sequence in (2001, 4100)`,
  );
  expect(await firstBreak()).toMatchObject({ kind: 'entry', sequence: 2_001n });
});

const NO_CHAIN = () => ({ workspaceId, head: null, anchor: null, erased: 0, firstBreak: { kind: 'no_chain' } });

test('a workspace whose whole chain was deleted is reported, with its entries or without', async () => {
  await database.db.workspace.create({
    data: { id: workspaceId, name: 'Acme', slug: `acme-${workspaceId}`, plan: 'free' },
  });
  await enterMany(3);
  await database.db.$executeRaw`delete from audit_chain where workspace_id = ${workspaceId}::uuid`;
  expect(await verify()).toEqual([NO_CHAIN()]);
  await tamper(() => database.db.$executeRaw`delete from audit_entry where workspace_id = ${workspaceId}::uuid`);
  expect(await verify()).toEqual([NO_CHAIN()]);
  await database.db.workspace.delete({ where: { id: workspaceId } });
  await enterMany(1);
  await database.db.$executeRaw`delete from audit_chain where workspace_id = ${workspaceId}::uuid`;
  expect(await verify()).toEqual([NO_CHAIN()]);
});

test('entries can be neither updated nor deleted early nor truncated', async () => {
  const id = await enter('ep_1');
  const { db } = database;
  await expect(db.$executeRaw`update audit_entry set actor_label = 'Eve' where id = ${id}::uuid`).rejects.toThrow();
  await expect(db.$executeRaw`delete from audit_entry where id = ${id}::uuid`).rejects.toThrow();
  await expect(db.$executeRaw`truncate audit_entry`).rejects.toThrow();
  expect(await db.auditEntry.count({ where: { workspaceId } })).toBe(1);
});

test('retention deletes only the oldest entries, and the remaining ones still verify from the anchor', async () => {
  await enter('ep_1', LONG_AGO);
  await enter('ep_2', LONG_AGO);
  const kept = await enter('ep_3');
  const behind = await enter('ep_4', LONG_AGO);
  expect(await trim()).toBe(2);
  const rows = await database.db.auditEntry.findMany({ where: { workspaceId }, orderBy: { sequence: 'asc' } });
  expect(rows.map((row) => row.id)).toEqual([kept, behind]);
  expect(await firstBreak()).toBeNull();
});

/** Removes entries from the chain's old end, and moves the anchor as retention would. */
async function removeOldest(upTo: number): Promise<void> {
  await database.db.$executeRaw`
    update audit_chain c set anchor_sequence = e.sequence, anchor_hash = e.hash, anchor_input = audit_entry_input(e),
      anchor_previous_hash = coalesce(
        (select hash from audit_entry where workspace_id = c.workspace_id and sequence = e.sequence - 1), '')
    from audit_entry e where e.workspace_id = c.workspace_id and e.sequence = ${upTo}::int
      and c.workspace_id = ${workspaceId}::uuid`;
  await tamper(
    () => database.db.$executeRaw`
      delete from audit_entry where workspace_id = ${workspaceId}::uuid and sequence <= ${upTo}::int`,
  );
}

test.each([
  ['one', 1],
  ['several', 2],
  ['all', 3],
])('young entries that were removed with the anchor are found: %s', async (_, upTo) => {
  await enterMany(3);
  await removeOldest(upTo);
  expect(await firstBreak()).toEqual({ kind: 'oldest_missing', sequence: BigInt(upTo) });
});

test.each([
  [
    'another content',
    () => database.db.$executeRaw`
      update audit_chain set anchor_input = replace(anchor_input, '"usr_1"', '"usr_2"') where workspace_id = ${workspaceId}::uuid`,
  ],
  [
    'no time',
    () => database.db.$executeRaw`
      update audit_chain set anchor_input = null, anchor_previous_hash = null where workspace_id = ${workspaceId}::uuid`,
  ],
  [
    'a text that begins within the previous hash',
    () => database.db.$executeRaw`
      update audit_chain set anchor_previous_hash = anchor_previous_hash || convert_to('[', 'UTF8'),
        anchor_input = substr(anchor_input, 2)
      where workspace_id = ${workspaceId}::uuid`,
  ],
])('an anchor with %s is found', async (_, change) => {
  await enterMany(3);
  await removeOldest(2);
  expect(await change()).toBe(1);
  expect(await firstBreak()).toEqual({ kind: 'oldest_missing', sequence: 2n });
});

test('the anchor that retention leaves has the position and the time of the last deleted entry', async () => {
  await enterMany(2, LONG_AGO);
  await enter('ep_kept');
  await trim();
  expect(await verify()).toMatchObject([{ anchor: { sequence: 2n, at: LONG_AGO }, firstBreak: null }]);
});

const APPLICATION = newUuid();

async function enterAbout(resourceId: string, applicationId: string | null): Promise<string> {
  const id = newUuid();
  const actor = { actorType: 'user', actorId: 'usr_1', actorLabel: 'ann@customer.test' };
  const metadata = {
    // Postgres' JSON operators cannot read U+0000.
    changes: { name: { from: null, to: 'Ann\u0000Customer' } },
    ip: '203.0.113.7',
    userAgent: 'Ann’s browser',
    requestId: 'req_1',
  };
  const what = { action: 'application.updated', resourceType: 'application', resourceId };
  await database.db.auditEntry.create({ data: { id, workspaceId, applicationId, ...actor, ...what, metadata } });
  return id;
}

const eraseAll = (after = 0n) =>
  eraseAuditValues(database.db, { workspaceId, applicationId: APPLICATION, resourceId: 'app_1', after });

test('erasing takes the personal values of one customer’s entries, and the chain still verifies', async () => {
  const erased = [await enterAbout('ep_1', APPLICATION), await enterAbout('app_1', null)];
  const kept = await enterAbout('app_2', newUuid());
  expect(await eraseAll()).toEqual({ erased: 2, kept: 0, next: undefined });
  const rows = await database.db.auditEntry.findMany({ where: { workspaceId }, orderBy: { sequence: 'asc' } });
  const text = (ids: string[]) =>
    JSON.stringify(rows.filter(({ id }) => ids.includes(id)).map(({ actorLabel, metadata }) => [actorLabel, metadata]));
  const empty = { changes: {}, ip: null, userAgent: null, requestId: 'req_1' };
  expect(text(erased)).toBe(
    JSON.stringify([
      ['', empty],
      ['', empty],
    ]),
  );
  expect(text([kept])).toContain('Customer');
  expect(await verify()).toMatchObject([{ erased: 2, firstBreak: null }]);
  expect(await eraseAll()).toEqual({ erased: 0, kept: 0, next: undefined });
});

test('erasing goes page by page, and does not touch the entry that names the erasure', async () => {
  await enterMany(2_500);
  await database.db.auditEntry.create({
    data: {
      id: newUuid(),
      workspaceId,
      actorType: 'system',
      actorId: 'dispatcher',
      actorLabel: 'Posthorn',
      action: 'application.erased',
      resourceType: 'application',
      resourceId: 'app_1',
      metadata: {},
    },
  });
  await enterAbout('app_1', null);
  expect(await eraseAll()).toEqual({ erased: 0, kept: 0, next: 2_000n });
  expect(await eraseAll(2_000n)).toEqual({ erased: 1, kept: 0, next: undefined });
  expect(await verify()).toMatchObject([{ erased: 1, firstBreak: null }]);
});

test('erased values cannot be replaced by others, nor can values lose their salt', async () => {
  await enterAbout('app_1', null);
  await eraseAll();
  const { db } = database;
  await tamper(
    () => db.$executeRaw`update audit_entry set actor_label = 'Eve' where workspace_id = ${workspaceId}::uuid`,
  );
  expect(await firstBreak()).toMatchObject({ kind: 'entry', sequence: 1n });
  workspaceId = newUuid();
  await enterAbout('app_1', null);
  await expect(
    db.$executeRaw`update audit_entry set personal_salt = null where workspace_id = ${workspaceId}::uuid`,
  ).rejects.toThrow('append-only');
  await tamper(
    () => db.$executeRaw`update audit_entry set personal_salt = null where workspace_id = ${workspaceId}::uuid`,
  );
  expect(await firstBreak()).toMatchObject({ kind: 'entry', sequence: 1n });
});

test('retention deletes more than one batch in a round, in every workspace', async () => {
  await enterMany(2_500, LONG_AGO);
  await enterMany(3);
  workspaceId = newUuid();
  await enterMany(1_000, LONG_AGO);
  expect(await trim()).toBe(3_500);
  expect([await database.db.auditEntry.count({ where: { workspaceId } }), await firstBreak()]).toEqual([0, null]);
});

test('a trim that another one overtook does not move the anchor back: the chain still verifies', async () => {
  await enterMany(2, LONG_AGO);
  const overtaken = await withConnection(database.databaseUrl, async (other) => {
    await other.query('begin');
    await other.query('select 1 from audit_chain where workspace_id = $1 for update', [workspaceId]);
    const waiting = trim();
    await waitFor(async () => (await waitingForLocks()) === 1, { what: 'the trim to wait for the other one' });
    await other.query(
      `insert into audit_entry (id, workspace_id, actor_type, actor_id, actor_label, action, resource_type, resource_id,
         metadata, created_at)
       values (gen_random_uuid(), $1, 'user', 'usr_1', 'Ann', 'endpoint.created', 'endpoint', 'ep_3', '{}', $2)`,
      [workspaceId, LONG_AGO],
    );
    await other.query(
      `update audit_chain c set anchor_sequence = e.sequence, anchor_hash = e.hash, anchor_input = audit_entry_input(e),
         anchor_previous_hash = (
           select hash from audit_entry where workspace_id = c.workspace_id and sequence = e.sequence - 1)
       from audit_entry e where e.workspace_id = c.workspace_id and e.sequence = c.sequence and c.workspace_id = $1`,
      [workspaceId],
    );
    await other.query('delete from audit_entry where workspace_id = $1', [workspaceId]);
    await other.query('commit');
    return waiting;
  });
  expect([overtaken, await firstBreak()]).toEqual([0, null]);
  await enter('ep_4');
  expect(await firstBreak()).toBeNull();
});

test('of several concurrent trims one deletes, and the chain still verifies', async () => {
  await enterMany(1_500, LONG_AGO);
  await enterMany(2);
  const trimmed = await Promise.all(Array.from({ length: 6 }, trim));
  expect(trimmed.reduce((sum, one) => sum + one, 0)).toBe(1_500);
  expect(await firstBreak()).toBeNull();
});

async function waitingForLocks(): Promise<number> {
  const [row] = await database.db.$queryRaw<{ waiting: number }[]>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.waiting ?? 0;
}
