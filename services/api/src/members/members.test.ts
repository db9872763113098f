import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type SeededPerson, seedPerson, uuidOf } from '../../test/people.ts';

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
const anEmail = () => `${newUuid(new Date())}@example.com`;

describe('adding a member', () => {
  test('a new user without a password gets a token that sets one, once', async () => {
    const email = anEmail();
    const reply = await add({ email: email.toUpperCase(), name: 'Ann', role: 'viewer' });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      userId: expect.stringMatching(/^usr_/),
      email,
      name: 'Ann',
      role: 'viewer',
      createdAt: expect.any(String),
      setPasswordToken: expect.any(String),
    });
    const { setPasswordToken } = reply.body;
    expect((await logIn(email, 'a good password')).status).toBe(401);
    const set = await setPassword(setPasswordToken, 'a good password');
    expect([set.status, set.text]).toEqual([204, '']);
    expect((await logIn(email, 'a good password')).status).toBe(200);
    expect(codeOf(await setPassword(setPasswordToken, 'another password'))).toBe('unauthorized');
    const actions = (await entries()).map((entry) => entry.action);
    expect(actions).toEqual(['member.created', 'auth.login_failed', 'member.password_set']);
    expect(inspect(await entries(), { depth: null })).not.toContain(setPasswordToken);
  });

  test('of many that use the token at once, one sets the password', async () => {
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

  test.each([undefined, 1, '', 'unknown', '\u0000'])('the token %j sets nothing', async (token) => {
    expect((await setPassword(token, 'a good password')).status).toBe(
      token === 'unknown' || token === '\u0000' ? 401 : 400,
    );
  });

  test('a new user with a password logs in with it, and is named after the email', async () => {
    const reply = await add({ email: 'bob@example.com', role: 'member', password: 'a good password' });
    expect(reply.body).toMatchObject({ name: 'bob', setPasswordToken: null });
    expect((await logIn('bob@example.com', 'a good password')).status).toBe(200);
  });

  test('for an email that has a user, only the membership is added: no password, no token, no other name', async () => {
    const stranger = await seedPerson(api.db, { password: 'their own password' });
    const refused = await add({ email: stranger.email, role: 'member', password: 'taken over' });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'validation_error']);
    const reply = await add({ email: stranger.email, name: 'Mallory', role: 'member' });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ userId: stranger.userId, name: 'Test', setPasswordToken: null });
    expect((await logIn(stranger.email, 'their own password')).status).toBe(200);
  });

  test('the same person twice is member_exists, also when asked 10 times at once', async () => {
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
    expect([reply.status, reply.body]).toEqual([400, { error: { code: 'validation_error', message } }]);
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
    expect(Object.keys(reply.body[0])).toEqual(['userId', 'email', 'name', 'role', 'createdAt']);
  });
});

describe('owners', () => {
  test('only an owner makes or unmakes one', async () => {
    const { body: viewer } = await add({ email: anEmail(), role: 'viewer' });
    expect(codeOf(await add({ email: anEmail(), role: 'owner' }))).toBe('forbidden');
    expect(codeOf(await call(admin, 'patch', `/${viewer.userId}`, { role: 'owner' }))).toBe('forbidden');
    expect(codeOf(await call(admin, 'patch', `/${owner.userId}`, { role: 'viewer' }))).toBe('forbidden');
    expect(codeOf(await call(admin, 'delete', `/${owner.userId}`))).toBe('forbidden');
    expect((await add({ email: anEmail(), role: 'owner' }, owner)).status).toBe(201);
    expect((await call(owner, 'patch', `/${viewer.userId}`, { role: 'owner' })).body.role).toBe('owner');
    expect((await call(owner, 'patch', `/${viewer.userId}`, { role: 'viewer' })).body.role).toBe('viewer');
  });

  test('the last one stays', async () => {
    expect(codeOf(await call(owner, 'delete', `/${owner.userId}`))).toBe('last_owner');
    expect(codeOf(await call(owner, 'patch', `/${owner.userId}`, { role: 'admin' }))).toBe('last_owner');
  });

  test('the last one stays when two unmake each other at the same instant', async () => {
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
  test('a role takes hold with the next request', async () => {
    const viewer = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'viewer' });
    const body = { email: anEmail(), role: 'viewer' };
    expect(codeOf(await add(body, viewer))).toBe('forbidden');
    await call(admin, 'patch', `/${viewer.userId}`, { role: 'admin' });
    expect((await add(body, viewer)).status).toBe(201);
    await call(admin, 'delete', `/${viewer.userId}`);
    const reply = await call(viewer, 'get');
    expect([reply.status, reply.body.error.message]).toEqual([404, 'Workspace not found']);
  });

  test('the same role again is no change, and leaves no entry', async () => {
    expect((await call(admin, 'patch', `/${admin.userId}`, { role: 'admin' })).status).toBe(200);
    expect((await call(admin, 'patch', `/${admin.userId}`, {})).status).toBe(200);
    expect(await entries()).toEqual([]);
  });

  test('each change leaves one entry that says what was changed and by whom', async () => {
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

  test('somebody who is no member of this workspace is not_found', async () => {
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

  test('management tokens do not reach members', async () => {
    const reply = await request(api.app)
      .get(`/management/v1/workspaces/${workspace.workspaceId}/members`)
      .set('authorization', `Bearer ${workspace.managementToken}`);
    expect([reply.status, reply.body.error.message]).toEqual([404, 'Route not found']);
  });
});
