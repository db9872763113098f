import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid, toId, uuidTime } from '@posthorn/contract/ids';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { createCaller } from '../../test/caller.ts';
import { type SeededPerson, seedPerson, uuidOf } from '../../test/people.ts';
import { hashPasswordForOther } from '../auth/password.ts';

let api: ApiUnderTest;
let workspace: SeededWorkspace;
let owner: SeededPerson;
let admin: SeededPerson;
let offsetMs = 0;

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + offsetMs), monotonicMs: () => performance.now() };
  api = await startApi({ clock });
});
afterAll(() => api.stop());
beforeEach(async () => {
  workspace = await api.seedAnother();
  owner = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'owner' });
  admin = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'admin' });
});

type Method = 'get' | 'post' | 'patch' | 'delete';

const call = (who: SeededPerson, method: Method, path = '', body?: object) =>
  request(api.app)
    [method](`/api/workspaces/${workspace.workspaceId}/members${path}`)
    .set('authorization', `Bearer ${who.sessionToken}`)
    .send(body);
const add = (body: object, who = admin) => call(who, 'post', '', body);
const codeOf = (reply: { status: number; body: { error?: { code: string } } }) =>
  reply.body.error?.code ?? reply.status;
const logIn = (email: string, password: string) => request(api.app).post('/api/auth/login').send({ email, password });
const setPassword = (token: unknown, password: string) =>
  request(api.app).post('/api/auth/set-password').send({ token, password });
const entries = () =>
  api.db.auditEntry.findMany({
    where: { workspaceId: uuidOf('ws', workspace.workspaceId) },
    orderBy: { sequence: 'asc' },
  });
const workspacesOf = async (sessionToken: string) => {
  const reply = await request(api.app).get('/api/workspaces').set('authorization', `Bearer ${sessionToken}`);
  return reply.body.map(({ id }: { id: string }) => id);
};
/** A member request by the owner of another workspace. */
async function inAnotherWorkspace() {
  const { workspaceId } = await api.seedAnother();
  const { sessionToken } = await seedPerson(api.db, { workspaceId, role: 'owner' });
  return createCaller(api.app, { base: `/api/workspaces/${workspaceId}/members`, token: sessionToken });
}
const anEmail = () => `${newUuid(new Date())}@example.com`;

describe('adding a member', () => {
  test('an owner by an admin is refused before the password is hashed', async () => {
    const email = anEmail();
    const workspaceId = uuidOf('ws', workspace.workspaceId);
    let isAsked = true;
    // Every turn of the workspace is taken until the answer: another hash would be rate_limited.
    const hashes = Array.from({ length: 51 }, async () => {
      while (isAsked) await hashPasswordForOther({ ownerId: workspaceId, workspaceId }, 'any');
    });
    const reply = await add({ email, role: 'owner', password: 'correct horse battery' });
    isAsked = false;
    expect(codeOf(reply)).toBe('forbidden');
    await Promise.all(hashes);
  });

  test('creates an invitation, and its token makes the person a member with that password, once', async () => {
    const email = anEmail();
    const reply = await add({ email: email.toUpperCase(), name: 'Ann', role: 'viewer' });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      userId: expect.stringMatching(/^usr_/),
      email,
      name: 'Ann',
      role: 'viewer',
      status: 'invited',
      hasSecondFactor: null,
      createdAt: expect.any(String),
      setPasswordToken: expect.any(String),
    });
    const { setPasswordToken } = reply.body;
    expect((await logIn(email, 'a good password')).status).toBe(401);
    const set = await setPassword(setPasswordToken, 'a good password');
    expect([set.status, set.text]).toEqual([204, '']);
    expect((await logIn(email, 'a good password')).body.user).toMatchObject({ id: reply.body.userId, name: 'Ann' });
    expect(codeOf(await setPassword(setPasswordToken, 'another password'))).toBe('unauthorized');
    const actions = (await entries()).map((entry) => entry.action);
    expect(actions).toEqual(['member.created', 'member.accepted']);
    expect(inspect(await entries(), { depth: null })).not.toContain(setPasswordToken);
  });

  test('of many concurrent uses of the token one succeeds', async () => {
    const { body } = await add({ email: anEmail(), role: 'viewer' });
    const replies = await Promise.all([1, 2, 3, 4, 5].map((n) => setPassword(body.setPasswordToken, `password ${n}`)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([204, 401, 401, 401, 401]);
  });

  test('the token ends after 7 days', async () => {
    const { body } = await add({ email: anEmail(), role: 'viewer' });
    offsetMs = 7 * 86_400_000 + 1_000;
    const late = await setPassword(body.setPasswordToken, 'a good password');
    offsetMs = 0;
    expect(codeOf(late)).toBe('unauthorized');
  });

  test.each([undefined, 1, '', 'unknown', '\u0000'])('the token %j sets no password', async (token) => {
    expect((await setPassword(token, 'a good password')).status).toBe(
      token === 'unknown' || token === '\u0000' ? 401 : 400,
    );
  });

  test('a password makes an address without an account a member at once, named after the email', async () => {
    const reply = await add({ email: 'bob@example.com', role: 'member', password: 'a good password' });
    expect(reply.body).toMatchObject({ name: 'bob', status: 'active', setPasswordToken: null });
    const { token } = (await logIn('bob@example.com', 'a good password')).body;
    expect(await workspacesOf(token)).toEqual([workspace.workspaceId]);
  });

  test('a member without a name is named after at most 200 characters of the email', async () => {
    const local = 'a'.repeat(240);
    const reply = await add({ email: `${local}@example.com`, role: 'viewer' });
    expect([reply.status, reply.body.name]).toEqual([201, local.slice(0, 200)]);
  });

  test('the same person twice is member_exists, also with 10 requests at once', async () => {
    const email = anEmail();
    const replies = await Promise.all(Array.from({ length: 10 }, () => add({ email, role: 'viewer' })));
    expect(replies.map(codeOf).sort()).toEqual([201, ...Array(9).fill('member_exists')]);
  });

  test.each([
    [{ role: 'viewer' }, 'email is required'],
    [{ email: 'no address', role: 'viewer' }, 'email must be an email address'],
    [{ email: 'a@example.com' }, 'role is required'],
    [{ email: 'a@example.com', role: 'king' }, 'role must be one of viewer, member, admin, owner'],
    [{ email: 'a@example.com', role: 'viewer', password: 'short' }, 'password must be 8 to 200 characters'],
    [
      { email: 'a@example.com', role: 'viewer', name: 'a\u0000b' },
      'name must not contain control characters or lone surrogates',
    ],
  ])('%j is refused: %s', async (body, message) => {
    const reply = await add(body);
    expect([reply.status, reply.body]).toMatchObject([400, { error: { code: 'validation_error', message } }]);
  });
});

describe('the list', () => {
  test('has every member in the order of joining, and a viewer may read it', async () => {
    const { body } = await add({ email: anEmail(), role: 'viewer' });
    await setPassword(body.setPasswordToken, 'a good password');
    const viewer = (await logIn(body.email, 'a good password')).body.token;
    const reply = await call({ ...admin, sessionToken: viewer }, 'get');
    expect(reply.status).toBe(200);
    expect(reply.body.map((row: { userId: string }) => row.userId)).toEqual([owner.userId, admin.userId, body.userId]);
    expect(Object.keys(reply.body[0])).toEqual([
      'userId',
      'email',
      'name',
      'role',
      'status',
      'hasSecondFactor',
      'createdAt',
    ]);
  });

  test('has the invited after the members, each under the name that this workspace gave', async () => {
    const email = anEmail();
    const { setPasswordToken, ...invited } = (await add({ email, name: 'As Acme knows her', role: 'viewer' })).body;
    await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'viewer' });
    const elsewhere = await inAnotherWorkspace();
    await elsewhere('post', '', { email, name: 'As others know her', role: 'viewer' });
    const listed = (await call(admin, 'get')).body;
    expect(listed.map((row: { status: string }) => row.status)).toEqual(['active', 'active', 'active', 'invited']);
    expect(listed.at(-1)).toEqual(invited);
    expect(setPasswordToken).toBeTruthy();
  });
});

describe('a membership begins when it is accepted', () => {
  test('an account made in advance has no access to a workspace that invites its address later', async () => {
    const email = anEmail();
    const attacker = await inAnotherWorkspace();
    const made = await attacker('post', '', { email, role: 'viewer', password: 'the attacker knows it' });
    await attacker('delete', `/${made.body.userId}`);
    const { body: invited } = await add({ email, role: 'admin' });
    expect(invited.status).toBe('invited');
    const { token } = (await logIn(email, 'the attacker knows it')).body;
    expect(await workspacesOf(token)).toEqual([]);
    const reply = await call({ ...admin, sessionToken: token }, 'get');
    expect([reply.status, reply.body.error.message]).toEqual([404, 'Workspace not found']);
    // The invited person does not know the account's password, and does not become a member with another one.
    expect(codeOf(await setPassword(invited.setPasswordToken, 'her own password'))).toBe('unauthorized');
    expect(await workspacesOf(token)).toEqual([]);
  });

  test('the answer is the same whether the address has an account or not, and its id reveals nothing of the account', async () => {
    const known = await seedPerson(api.db, { password: 'their own password' });
    const before = Date.now();
    const [withAccount, without] = [
      (await add({ email: known.email, name: 'Someone', role: 'member' })).body,
      (await add({ email: anEmail(), name: 'Someone', role: 'member' })).body,
    ];
    const shape = (body: Record<string, unknown>) =>
      Object.entries(body).map(([key, value]) => [key, typeof value, /role|name|status/.test(key) ? value : '']);
    expect(shape(withAccount)).toEqual(shape(without));
    expect(withAccount.userId).not.toBe(known.userId);
    expect(uuidTime(uuidOf('usr', withAccount.userId)).getTime()).toBeGreaterThanOrEqual(before);
  });

  test('an account keeps its password and its name: only that password accepts the invitation', async () => {
    const person = await seedPerson(api.db, { password: 'their own password' });
    const { body: invited } = await add({ email: person.email, name: 'Mallory', role: 'member' });
    expect(await workspacesOf(person.sessionToken)).toEqual([]);
    expect(codeOf(await setPassword(invited.setPasswordToken, 'taken over by us'))).toBe('unauthorized');
    expect((await logIn(person.email, 'taken over by us')).status).toBe(401);
    expect((await setPassword(invited.setPasswordToken, 'their own password')).status).toBe(204);
    expect(await workspacesOf(person.sessionToken)).toEqual([workspace.workspaceId]);
    const listed = (await call(admin, 'get')).body;
    expect(listed.at(-1)).toMatchObject({ userId: person.userId, name: 'Test', status: 'active', role: 'member' });
    expect(codeOf(await setPassword(invited.setPasswordToken, 'their own password'))).toBe('unauthorized');
  });

  test('a password given for an address that has an account is ignored', async () => {
    const person = await seedPerson(api.db, { password: 'their own password' });
    const reply = await add({ email: person.email, role: 'member', password: 'taken over by us' });
    expect([reply.status, reply.body.status]).toEqual([201, 'invited']);
    expect((await logIn(person.email, 'taken over by us')).status).toBe(401);
    expect((await logIn(person.email, 'their own password')).status).toBe(200);
  });

  test('two workspaces invite one address, and the one password accepts both', async () => {
    const email = anEmail();
    const elsewhere = await inAnotherWorkspace();
    const first = (await add({ email, role: 'viewer' })).body;
    const second = (await elsewhere('post', '', { email, role: 'viewer' })).body;
    expect(second.userId).not.toBe(first.userId);
    expect((await setPassword(first.setPasswordToken, 'a good password')).status).toBe(204);
    expect(codeOf(await setPassword(second.setPasswordToken, 'another password'))).toBe('unauthorized');
    const { token } = (await logIn(email, 'a good password')).body;
    expect(await workspacesOf(token)).toEqual([workspace.workspaceId]);
    expect((await setPassword(second.setPasswordToken, 'a good password')).status).toBe(204);
    expect(await workspacesOf(token)).toHaveLength(2);
  });

  test('an invitation does not open an account without a password that is another workspace’s member', async () => {
    // As an earlier release created it.
    const elsewhere = await api.seedAnother();
    const unused = await seedPerson(api.db, { workspaceId: elsewhere.workspaceId, role: 'owner' });
    const { body: invited } = await add({ email: unused.email, role: 'viewer' });
    expect(codeOf(await setPassword(invited.setPasswordToken, 'taken over by us'))).toBe('unauthorized');
    expect((await logIn(unused.email, 'taken over by us')).status).toBe(401);
    await api.db.member.deleteMany({ where: { userId: uuidOf('usr', unused.userId) } });
    expect((await setPassword(invited.setPasswordToken, 'a good password')).status).toBe(204);
  });

  test('removing it makes its token void, and the address can be invited again', async () => {
    const email = anEmail();
    const { body: invited } = await add({ email, role: 'viewer' });
    expect((await call(admin, 'delete', `/${invited.userId}`)).status).toBe(204);
    expect(codeOf(await setPassword(invited.setPasswordToken, 'a good password'))).toBe('unauthorized');
    expect((await add({ email, role: 'viewer' })).status).toBe(201);
  });

  test('a reinvitation gives a new token, and the previous one is void', async () => {
    const { body: invited } = await add({ email: anEmail(), role: 'viewer' });
    const again = await call(admin, 'post', `/${invited.userId}/reinvite`);
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...invited, setPasswordToken: expect.any(String) });
    expect(codeOf(await setPassword(invited.setPasswordToken, 'a good password'))).toBe('unauthorized');
    expect((await setPassword(again.body.setPasswordToken, 'a good password')).status).toBe(204);
    expect(codeOf(await call(admin, 'post', `/${invited.userId}/reinvite`))).toBe('member_exists');
    expect((await entries()).map((entry) => entry.action)).toContain('member.reinvited');
  });

  test('the role is that of the invitation at the time it is accepted', async () => {
    const { body: invited } = await add({ email: anEmail(), role: 'viewer' });
    expect((await call(admin, 'patch', `/${invited.userId}`, { role: 'admin' })).body).toMatchObject({
      role: 'admin',
      status: 'invited',
    });
    await setPassword(invited.setPasswordToken, 'a good password');
    expect((await call(admin, 'get')).body.at(-1)).toMatchObject({ role: 'admin', status: 'active' });
  });

  test('of a person who is a member meanwhile, by a group of the sign-in provider, is used up with an audit entry, and the role stays', async () => {
    const password = 'a good password';
    const { email, userId } = await seedPerson(api.db, { email: anEmail(), password });
    const { body: invited } = await add({ email, role: 'viewer' });
    const workspaceId = uuidOf('ws', workspace.workspaceId);
    const member = { workspaceId, userId: uuidOf('usr', userId), role: 'admin' as const, isFromGroups: true };
    await api.db.member.create({ data: member });
    expect((await setPassword(invited.setPasswordToken, password)).status).toBe(204);
    const listed: { email: string }[] = (await call(admin, 'get')).body;
    const own = listed.filter((one) => one.email === email);
    expect(own).toEqual([expect.objectContaining({ userId, role: 'admin', status: 'active' })]);
    expect((await entries()).at(-1)).toMatchObject({
      ...{ action: 'member.accepted', actorId: userId, resourceId: userId },
      metadata: { changes: { userId: { from: invited.userId, to: userId } } },
    });
  });
});

describe('owners', () => {
  test('an invited owner does not count as the last owner, and only an owner invites or reinvites one', async () => {
    const { body: invited } = await add({ email: anEmail(), role: 'owner' }, owner);
    expect(invited.status).toBe('invited');
    expect(codeOf(await call(owner, 'delete', `/${owner.userId}`))).toBe('last_owner');
    expect(codeOf(await call(owner, 'patch', `/${owner.userId}`, { role: 'admin' }))).toBe('last_owner');
    expect(codeOf(await call(admin, 'post', `/${invited.userId}/reinvite`))).toBe('forbidden');
    expect(codeOf(await call(admin, 'patch', `/${invited.userId}`, { role: 'viewer' }))).toBe('forbidden');
    expect(codeOf(await call(admin, 'delete', `/${invited.userId}`))).toBe('forbidden');
    const { setPasswordToken } = (await call(owner, 'post', `/${invited.userId}/reinvite`)).body;
    await setPassword(setPasswordToken, 'a good password');
    expect((await call(owner, 'delete', `/${owner.userId}`)).status).toBe(204);
  });

  test('only an owner can make someone an owner, or remove the role', async () => {
    const { body: viewer } = await add({ email: anEmail(), role: 'viewer' });
    expect(codeOf(await add({ email: anEmail(), role: 'owner' }))).toBe('forbidden');
    expect(codeOf(await call(admin, 'patch', `/${viewer.userId}`, { role: 'owner' }))).toBe('forbidden');
    expect(codeOf(await call(admin, 'patch', `/${owner.userId}`, { role: 'viewer' }))).toBe('forbidden');
    expect(codeOf(await call(admin, 'delete', `/${owner.userId}`))).toBe('forbidden');
    expect((await add({ email: anEmail(), role: 'owner' }, owner)).status).toBe(201);
    expect((await call(owner, 'patch', `/${viewer.userId}`, { role: 'owner' })).body.role).toBe('owner');
    expect((await call(owner, 'patch', `/${viewer.userId}`, { role: 'viewer' })).body.role).toBe('viewer');
  });

  test('the last owner keeps the role', async () => {
    expect(codeOf(await call(owner, 'delete', `/${owner.userId}`))).toBe('last_owner');
    expect(codeOf(await call(owner, 'patch', `/${owner.userId}`, { role: 'admin' }))).toBe('last_owner');
  });

  test('an owner of as many workspaces as are allowed becomes the owner of no other', async () => {
    const limited = await startApi({ maxWorkspacesPerUser: 1 });
    const password = 'a good password';
    const elsewhere = (await limited.seedAnother()).workspaceId;
    const member = await seedPerson(limited.db, { workspaceId: elsewhere, role: 'owner' });
    const invited = await seedPerson(limited.db, { workspaceId: elsewhere, role: 'owner', password });
    const key = { workspaceId: uuidOf('ws', limited.workspaceId), userId: uuidOf('usr', member.userId) };
    await limited.db.member.create({ data: { ...key, role: 'admin' } });
    const { sessionToken } = await seedPerson(limited.db, { workspaceId: limited.workspaceId, role: 'owner' });
    const base = `/api/workspaces/${limited.workspaceId}/members`;
    const asOwner = createCaller(limited.app, { base, token: sessionToken });
    const { setPasswordToken: token } = (await asOwner('post', '', { email: invited.email, role: 'owner' })).body;
    const promote = () => asOwner('patch', `/${member.userId}`, { role: 'owner' });
    const accept = () => request(limited.app).post('/api/auth/set-password').send({ token, password });
    const codes = [codeOf(await promote()), codeOf(await accept())];
    const owned = { workspaceId: uuidOf('ws', elsewhere) };
    await limited.db.member.updateMany({ where: owned, data: { role: 'admin' } });
    codes.push(codeOf(await promote()), codeOf(await accept()));
    await limited.stop();
    expect(codes).toEqual(['limit_reached', 'limit_reached', 200, 204]);
  });

  test('one owner remains when two remove each other’s role at the same instant', async () => {
    const other = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'owner' });
    const replies = await Promise.all([
      call(owner, 'patch', `/${other.userId}`, { role: 'viewer' }),
      call(other, 'patch', `/${owner.userId}`, { role: 'viewer' }),
      call(owner, 'delete', `/${other.userId}`),
      call(other, 'delete', `/${owner.userId}`),
    ]);
    expect(replies.every((reply) => reply.status < 500)).toBe(true);
    const owners = { workspaceId: uuidOf('ws', workspace.workspaceId), role: 'owner' as const };
    expect(await api.db.member.count({ where: owners })).toBe(1);
  });
});

describe('changing and removing', () => {
  test('a role takes effect with the next request', async () => {
    const viewer = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'viewer' });
    const body = { email: anEmail(), role: 'viewer' };
    expect(codeOf(await add(body, viewer))).toBe('forbidden');
    await call(admin, 'patch', `/${viewer.userId}`, { role: 'admin' });
    expect((await add(body, viewer)).status).toBe(201);
    await call(admin, 'delete', `/${viewer.userId}`);
    const reply = await call(viewer, 'get');
    expect([reply.status, reply.body.error.message]).toEqual([404, 'Workspace not found']);
  });

  test('the same role again is no change, and leaves no audit entry', async () => {
    expect((await call(admin, 'patch', `/${admin.userId}`, { role: 'admin' })).status).toBe(200);
    expect((await call(admin, 'patch', `/${admin.userId}`, {})).status).toBe(200);
    expect(await entries()).toEqual([]);
  });

  test('each change leaves one audit entry with the change and its actor', async () => {
    const viewer = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'viewer' });
    await call(admin, 'patch', `/${viewer.userId}`, { role: 'member' });
    const removed = await call(admin, 'delete', `/${viewer.userId}`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect(await entries()).toMatchObject([
      { action: 'member.updated', resourceId: viewer.userId, actorType: 'user', actorId: admin.userId },
      { action: 'member.deleted', resourceType: 'member', actorLabel: admin.email },
    ]);
    expect((await entries())[0]?.metadata).toMatchObject({ changes: { role: { from: 'viewer', to: 'member' } } });
  });

  test('a person who is not a member of this workspace is not_found', async () => {
    const stranger = await seedPerson(api.db);
    for (const userId of [
      stranger.userId,
      toId('usr', newUuid(new Date())),
      'usr_1',
      'nonsense',
      workspace.workspaceId,
    ]) {
      const reply = await call(owner, 'delete', `/${userId}`);
      expect([reply.status, reply.body.error.message]).toEqual([404, 'Member not found']);
    }
  });

  test('management tokens cannot reach members', async () => {
    const reply = await request(api.app)
      .get(`/management/v1/workspaces/${workspace.workspaceId}/members`)
      .set('authorization', `Bearer ${workspace.managementToken}`);
    expect([reply.status, reply.body.error.message]).toEqual([404, 'Route not found']);
  });

  test('are at most 1,000 in a workspace, invited ones included', async () => {
    const { workspaceId } = await api.seedAnother();
    const { sessionToken } = await seedPerson(api.db, { workspaceId, role: 'owner' });
    const caller = createCaller(api.app, { base: `/api/workspaces/${workspaceId}/members`, token: sessionToken });
    await api.db.invitation.createMany({
      data: Array.from({ length: 998 }, (_, n) => {
        const email = `${n}@example.com`;
        return { id: newUuid(new Date()), workspaceId: uuidOf('ws', workspaceId), email, name: email, role: 'viewer' };
      }),
    });
    expect((await caller('post', '', { email: anEmail(), role: 'viewer' })).status).toBe(201);
    const refused = await caller('post', '', { email: anEmail(), role: 'viewer' });
    expect([refused.status, refused.body.error]).toEqual([
      409,
      { code: 'limit_reached', message: 'A workspace has at most 1000 members, including invited ones' },
    ]);
  });
});
