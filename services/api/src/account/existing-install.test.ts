import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import { digestToken, newToken } from '@posthorn/crypto/token';
import { type VerifiedChain, verifyAuditChains } from '@posthorn/db/audit-chain';
import { migrate } from '@posthorn/db/migrate';
import { failsOnPurpose } from '@posthorn/testkit/fails-on-purpose';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { codeOf, createCaller } from '../../test/caller.ts';
import { hashPassword } from '../auth/password.ts';

// An install of the release before invitations had to be accepted: its rows as that release wrote them.

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
const ACCEPTANCE = '20261122030500_accounts';
const password = 'correct horse battery';

let api: ApiUnderTest;
const acme = newUuid(new Date());
const other = newUuid(new Date());
/** Workspaces whose oldest audit entry was deleted by the retention of that release. */
const trimmed = newUuid(new Date());
const emptied = newUuid(new Date());
const people = new Map<string, string>();
const tokens = { own: newToken('management'), firsts: newToken('management') };

beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  await failsOnPurpose(api.db);
  await api.db.$executeRaw`drop schema public cascade`;
  await api.db.$executeRaw`create schema public`;
  await migrateTo((name) => name < ACCEPTANCE);
  for (const [id, slug] of [
    [acme, 'acme'],
    [other, 'other'],
  ])
    await api.db.$executeRaw`insert into workspace (id, name, slug, plan) values (${id}::uuid, 'W', ${slug}, 'pro')`;
  await person('ann', { workspaces: [acme, other], password });
  await person('invited', { workspaces: [acme], token: 'the token of one workspace' });
  await person('squatted', { workspaces: [acme, other], token: 'the token of the squatter' });
  await person('abandoned', { workspaces: [], token: 'the token of a removed membership' });
  await person('renamed', { workspaces: [acme], token: 'the token of a former workspace' });
  await entry(other, { action: 'member.created', changes: { email: { from: null, to: emailOf('renamed') } } });
  await token(tokens.own, 'ann');
  await token(tokens.firsts, undefined);
  await trimmedChain(trimmed, { entries: 2 });
  await trimmedChain(emptied, { entries: 1 });
  await migrateTo(() => true);
});
afterAll(() => api.stop());

async function migrateTo(wanted: (name: string) => boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-migrations-'));
  for (const name of readdirSync(MIGRATIONS).filter((one) => one.endsWith('.toml') || wanted(one))) {
    cpSync(join(MIGRATIONS, name), join(folder, name), { recursive: true });
  }
  await migrate({ databaseUrl: api.databaseUrl, migrationsDirectory: folder });
  rmSync(folder, { recursive: true });
}

async function person(name: string, given: { workspaces: string[]; password?: string; token?: string }) {
  const id = newUuid(new Date());
  people.set(name, id);
  const hash = given.password === undefined ? null : await hashPassword(given.password);
  const digest = given.token === undefined ? null : digestToken(given.token);
  await api.db.$executeRaw`
    insert into "user" (id, email, name, password_hash, set_password_digest, set_password_token_ends_at)
    values (${id}::uuid, ${emailOf(name)}, ${name}, ${hash}, ${digest}, now() + interval '6 days')`;
  for (const workspace of given.workspaces) {
    await api.db.$executeRaw`
      insert into member (workspace_id, user_id, role) values (${workspace}::uuid, ${id}::uuid, 'owner')`;
    await entry(workspace, { action: 'member.created', changes: { email: { from: null, to: emailOf(name) } } });
  }
}

async function token(text: string, maker: string | undefined) {
  const id = newUuid(new Date());
  await api.db.$executeRaw`
    insert into management_token (id, workspace_id, name, digest, preview, scopes)
    values (${id}::uuid, ${acme}::uuid, 'T', ${digestToken(text)}, 'phm_', '{read,write}')`;
  if (maker === undefined) return;
  const actor = toId('usr', people.get(maker) ?? '');
  await entry(acme, { action: 'management_token.created', actor, resource: toId('tok', id), changes: {} });
}

/** A chain that begins after its first entry, as that release left it. */
async function trimmedChain(workspace: string, { entries }: { entries: number }) {
  for (let number = 0; number < entries; number += 1) await entry(workspace, { action: 'x.y', changes: {} });
  await api.db.$executeRaw`
    update audit_chain c set anchor_sequence = 1, anchor_hash = e.hash
    from audit_entry e where e.workspace_id = c.workspace_id and e.sequence = 1 and c.workspace_id = ${workspace}::uuid`;
  await api.db.$executeRaw`alter table audit_entry disable trigger user`;
  await api.db.$executeRaw`delete from audit_entry where workspace_id = ${workspace}::uuid and sequence = 1`;
  await api.db.$executeRaw`alter table audit_entry enable trigger user`;
}

type Entry = { action: string; actor?: string; resource?: string; changes: object };

async function entry(workspace: string, { action, actor = 'usr_x', resource = 'x', changes }: Entry) {
  const metadata = JSON.stringify({ changes, ip: null, userAgent: null, requestId: 'r' });
  await api.db.$executeRaw`
    insert into audit_entry (id, workspace_id, actor_type, actor_id, actor_label, action, resource_type, resource_id, metadata)
    values (${newUuid(new Date())}::uuid, ${workspace}::uuid, 'user', ${actor}, 'x', ${action}, 'x', ${resource}, ${metadata}::json)`;
}

const emailOf = (name: string) => `${name}@example.com`;
const logIn = (name: string, given = password) =>
  request(api.app)
    .post('/api/auth/login')
    .send({ email: emailOf(name), password: given });
const setPassword = (given: string) =>
  request(api.app).post('/api/auth/set-password').send({ token: given, password: 'a first password' });
const workspacesOf = async (session: string) =>
  (await createCaller(api.app, { base: '/api/workspaces', token: session })('get')).body.map(
    ({ id }: { id: string }) => id,
  );

test('all users log in as before and are members of the same workspaces', async () => {
  const { body } = await logIn('ann');
  expect(await workspacesOf(body.token)).toEqual([toId('ws', acme), toId('ws', other)]);
  const members = createCaller(api.app, { base: `/api/workspaces/${toId('ws', acme)}/members`, token: body.token });
  const listed = (await members('get')).body;
  expect(listed.map(({ status }: { status: string }) => status)).toEqual(Array(4).fill('active'));
});

test('a first password’s token that only one workspace can have issued still sets it', async () => {
  expect((await setPassword('the token of one workspace')).status).toBe(204);
  const { body } = await logIn('invited', 'a first password');
  expect(await workspacesOf(body.token)).toEqual([toId('ws', acme)]);
});

test.each(['the token of the squatter', 'the token of a removed membership', 'the token of a former workspace'])(
  '%s is void: it would open a workspace that did not issue it',
  async (given) => {
    expect(codeOf(await setPassword(given))).toBe('unauthorized');
  },
);

test('a management token’s maker is the person in the audit log', async () => {
  const { body } = await logIn('ann');
  const base = `/api/workspaces/${toId('ws', acme)}/management-tokens`;
  const listed = (await createCaller(api.app, { base, token: body.token })('get')).body;
  expect(listed.map(({ createdBy }: { createdBy: string }) => createdBy)).toEqual([body.user.id, null]);
});

test('the audit chains are valid before and after the upgrade', async () => {
  await entry(acme, { action: 'x.y', changes: {} });
  await api.db.$executeRaw`
    insert into audit_entry
      (id, workspace_id, environment_id, actor_type, actor_id, actor_label, action, resource_type, resource_id, metadata)
    values (${newUuid(new Date())}::uuid, ${acme}::uuid, ${newUuid(new Date())}::uuid, 'user', 'x', 'x', 'x.y', 'x', 'x', '{}')`;
  for (const workspace of [trimmed, emptied]) await entry(workspace, { action: 'x.y', changes: {} });
  const chains = new Map<string, VerifiedChain>();
  for await (const chain of verifyAuditChains(api.db)) chains.set(chain.workspaceId, chain);
  for (const { head, firstBreak } of chains.values()) if (head !== null) expect(firstBreak).toBeNull();
  expect(chains.get(trimmed)).toMatchObject({ head: { sequence: 3n }, anchor: { sequence: 1n, at: null } });
  expect(chains.get(emptied)).toMatchObject({ head: { sequence: 3n }, anchor: { sequence: 1n, at: null } });
});
