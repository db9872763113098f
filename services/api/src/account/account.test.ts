import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import { newToken } from '@posthorn/crypto/token';
import type { Db } from '@posthorn/db/client';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type SeededPerson, seedPerson, uuidOf } from '../../test/people.ts';

const password = 'correct horse battery';
let api: ApiUnderTest;
let owner: SeededPerson;
let offsetMs = 0;

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + offsetMs), monotonicMs: () => performance.now() };
  api = await startApi({ clock });
  owner = await seedPerson(api.db, {
    password,
    email: 'owner@example.com',
    workspaceId: api.workspaceId,
    role: 'owner',
  });
});
afterAll(() => api.stop());

const post = (path: string, body: unknown) => request(api.app).post(`/api${path}`).send(Object(body));
const logIn = (email: string, given = password) => post('/auth/login', { email, password: given });
const me = (token: string) => request(api.app).get('/api/auth/me').set('authorization', `Bearer ${token}`);
async function atTime<Result>(laterMs: number, work: () => Promise<Result>): Promise<Result> {
  offsetMs += laterMs;
  try {
    return await work();
  } finally {
    offsetMs -= laterMs;
  }
}

describe('login', () => {
  test('the right password gives a session token and the user, and sets the same token as a strict cookie', async () => {
    const reply = await logIn('Owner@Example.com');
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      token: expect.stringMatching(/^phs_/),
      expiresAt: expect.stringMatching(/\.\d{3}Z$/),
      user: { id: owner.userId, email: 'owner@example.com', name: 'Test', createdAt: expect.any(String) },
    });
    const inHours = (Date.parse(reply.body.expiresAt) - Date.now()) / 3_600_000;
    expect(inHours).toBeCloseTo(12, 1);
    expect(reply.get('set-cookie')?.[0]).toMatch(
      new RegExp(`^posthorn_session=${reply.body.token}; Max-Age=604800; Path=/api; .*HttpOnly; SameSite=Strict$`),
    );
    expect(reply.get('set-cookie')?.[1]).toMatch(
      /^posthorn_device=[\w-]+; Max-Age=15552000; Path=\/api\/auth\/login; .*HttpOnly; SameSite=Strict$/,
    );
    expect((await me(reply.body.token)).status).toBe(200);
  });

  test('a wrong password and an unknown user have the same answer, byte for byte', async () => {
    const wrong = await logIn('owner@example.com', 'not this one');
    const unknown = await logIn('nobody@example.com', 'not this one');
    expect([wrong.status, wrong.text]).toEqual([401, unknown.text]);
    expect(unknown.status).toBe(401);
    expect(wrong.body.error.code).toBe('unauthorized');
  });

  test('a failed login is answered no sooner for an unknown user than for a known one', async () => {
    for (const email of ['owner@example.com', 'nobody@example.com', 'no address']) {
      const startedAtMs = performance.now();
      expect((await logIn(email, 'not this one')).status).toBe(401);
      expect(performance.now() - startedAtMs).toBeGreaterThan(240);
    }
  });

  test.each([
    ['no password', { email: 'a@example.com' }, 'password is required'],
    ['no email', { password }, 'email is required'],
    ['a number', { email: 1, password }, 'email must be a string'],
    ['an empty email', { email: '', password }, 'email is required'],
    ['nothing', undefined, 'email is required'],
  ])('%s is a validation_error that names the field', async (_name, body, message) => {
    const reply = await post('/auth/login', body);
    expect([reply.status, reply.body]).toMatchObject([400, { error: { code: 'validation_error', message } }]);
  });

  test.each(['\u0000@example.com', "' or 1=1 --", '\ud800@example.com', `${'a'.repeat(900)}@example.com`])(
    'an email that cannot be one is an unknown user: %j',
    async (email) => {
      expect((await logIn(email)).status).toBe(401);
    },
  );
});

describe('a session', () => {
  test('slides to 12 hours from each use, and ends after 7 days however much it is used', async () => {
    const { token } = (await logIn('owner@example.com')).body;
    const endsAtMs = Date.now() + 7 * 86_400_000;
    for (let hours = 10; hours < 7 * 24; hours += 10) {
      const reply = await atTime(hours * 3_600_000, () => me(token));
      expect(reply.status).toBe(200);
      const expected = Math.min(Date.now() + (hours + 12) * 3_600_000, endsAtMs);
      expect(Math.abs(Date.parse(reply.body.expiresAt) - expected)).toBeLessThan(120_000);
    }
    expect((await atTime(7 * 86_400_000 + 1_000, () => me(token))).status).toBe(401);
  });

  test('ends 12 hours after its last use', async () => {
    const { token } = (await logIn('owner@example.com')).body;
    expect((await atTime(12 * 3_600_000 + 1_000, () => me(token))).status).toBe(401);
  });

  test('is refused at once after logout, and its cookie is cleared', async () => {
    const { token } = (await logIn('owner@example.com')).body;
    const reply = await request(api.app).post('/api/auth/logout').set('authorization', `Bearer ${token}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(reply.get('set-cookie')?.[0]).toMatch(/^posthorn_session=; Path=\/api; Expires=Thu, 01 Jan 1970/);
    expect((await me(token)).status).toBe(401);
    expect(await api.db.session.count({ where: { userId: uuidOf('usr', owner.userId) } })).toBeGreaterThan(0);
  });

  test('is stored only as a digest', async () => {
    const { token } = (await logIn('owner@example.com')).body;
    const rows = await api.db.session.findMany();
    expect(JSON.stringify(rows.map((row) => ({ ...row, digest: Buffer.from(row.digest).toString() })))).not.toContain(
      token,
    );
  });

  test('can read its own user, and where the queue board is', async () => {
    const reply = await me(owner.sessionToken);
    expect(reply.body).toEqual({
      user: { id: owner.userId, email: 'owner@example.com', name: 'Test', createdAt: expect.any(String) },
      expiresAt: expect.any(String),
      queueBoardUrl: 'http://127.0.0.1:9465',
      sendsMail: false,
      isAddressProven: true,
      passwordLogin: true,
      provider: null,
    });
  });
});

describe('the cookie', () => {
  const create = (slug: string, headers: Record<string, string>) =>
    request(api.app)
      .post('/api/workspaces')
      .set({ cookie: `theme=dark; posthorn_session=${owner.sessionToken}`, ...headers })
      .send({ name: 'Cookie', slug });

  test('is accepted like the Bearer token, and only where sessions are', async () => {
    const cookie = `posthorn_session=${owner.sessionToken}`;
    expect((await request(api.app).get('/api/auth/me').set({ cookie })).status).toBe(200);
    const inside = `/api/workspaces/${api.workspaceId}/environments`;
    expect((await request(api.app).get(inside).set({ cookie })).status).toBe(200);
    expect((await request(api.app).get(`${api.base}/environments`).set({ cookie })).status).toBe(401);
  });

  test.each([
    ['from our own page', { 'sec-fetch-site': 'same-origin' }, 201],
    ['typed by the visitor', { 'sec-fetch-site': 'none' }, 201],
    ['from our own origin', { origin: 'http://localhost:3000' }, 201],
    ['from no browser', {}, 201],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['from a sibling domain', { 'sec-fetch-site': 'same-site' }, 403],
    ['from another origin', { origin: 'https://evil.example' }, 403],
    ['from another port', { origin: 'http://localhost:8080' }, 403],
    ['from a sandboxed frame', { origin: 'null' }, 403],
  ])('carries a change %s: %j is %d', async (name, headers, status) => {
    const reply = await create(`cookie-${name.replaceAll(' ', '-')}`, Object(headers));
    expect(reply.status).toBe(status);
  });

  test('is not used when a broken Bearer credential is sent', async () => {
    const reply = await request(api.app)
      .get('/api/auth/me')
      .set({ cookie: `posthorn_session=${owner.sessionToken}`, authorization: 'Bearer phs_broken' });
    expect(reply.status).toBe(401);
  });
});

describe('workspaces', () => {
  const workspaces = (token: string) => request(api.app).get('/api/workspaces').set('authorization', `Bearer ${token}`);
  const create = (token: string, body: object) =>
    request(api.app).post('/api/workspaces').set('authorization', `Bearer ${token}`).send(body);

  test('the caller sees only the own ones, and a new one has production, an owner and an audit entry', async () => {
    const person = await seedPerson(api.db);
    expect((await workspaces(person.sessionToken)).body).toEqual([]);
    const made = await create(person.sessionToken, { name: 'New', slug: 'brand-new' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'New', slug: 'brand-new', plan: 'enterprise', role: 'owner' });
    expect((await workspaces(person.sessionToken)).body).toEqual([made.body]);
    const inside = `/api/workspaces/${made.body.id}`;
    const environments = await request(api.app)
      .get(`${inside}/environments`)
      .set('authorization', `Bearer ${person.sessionToken}`);
    expect(environments.body).toMatchObject([{ slug: 'production', isDefault: true }]);
    const entry = await api.db.auditEntry.findMany({ where: { workspaceId: uuidOf('ws', made.body.id) } });
    expect(entry).toMatchObject([{ action: 'workspace.created', actorId: person.userId, resourceId: made.body.id }]);
  });

  test('docs/interface.md, Lists and cursors: the list of any number of workspaces is answered whole, and read in pages', async () => {
    const person = await seedPerson(api.db);
    const rows = Array.from({ length: 101 }, () => newUuid(new Date())).map((id) => ({
      id,
      name: 'Many',
      slug: id,
      plan: 'pro' as const,
    }));
    await api.db.workspace.createMany({ data: rows });
    const userId = uuidOf('usr', person.userId);
    await api.db.member.createMany({ data: rows.map(({ id }) => ({ workspaceId: id, userId, role: 'viewer' })) });
    const { db } = api.services;
    const read: number[] = [];
    const member = {
      async findMany(given: Parameters<Db['member']['findMany']>[0]) {
        const found = await db.member.findMany(given);
        read.push(found.length);
        return found;
      },
    };
    api.services.db = new Proxy(db, {
      get: (target, name) => (name === 'member' ? member : Reflect.get(target, name)),
    });
    const whole = await workspaces(person.sessionToken);
    const page = await workspaces(person.sessionToken).query({ limit: 2 });
    api.services.db = db;
    const ids = rows.map(({ id }) => toId('ws', id));
    expect(whole.body.map((one: { id: string }) => one.id)).toEqual(ids);
    expect(whole.body[0]).toMatchObject({ name: 'Many', role: 'viewer' });
    expect(page.body.map((one: { id: string }) => one.id)).toEqual(ids.slice(0, 2));
    expect(read).toEqual([50, 50, 1, 3]);
  });

  test('of 20 concurrent requests for one slug one succeeds', async () => {
    const owner = await seedPerson(api.db);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => create(owner.sessionToken, { name: 'Race', slug: 'raced' })),
    );
    expect(replies.map((reply) => reply.body.error?.code ?? reply.status).sort()).toEqual([
      201,
      ...Array(19).fill('slug_taken'),
    ]);
  });

  test('an owner of as many as are allowed cannot create another, also with many requests at once', async () => {
    const limited = await startApi({ maxWorkspacesPerUser: 2 });
    const { sessionToken } = await seedPerson(limited.db, { workspaceId: limited.workspaceId, role: 'admin' });
    const make = (index: number) =>
      request(limited.app)
        .post('/api/workspaces')
        .set('authorization', `Bearer ${sessionToken}`)
        .send({ name: 'Many', slug: `many-${index}` });
    const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => make(index)));
    const codes = replies.map((reply) => reply.body.error?.code ?? reply.status).sort();
    await limited.stop();
    expect(codes).toEqual([201, 201, ...Array(6).fill('limit_reached')]);
  });

  test('where only operators create workspaces and accounts, a person can do neither, and can still invite', async () => {
    const closed = await startApi({ settings: { WORKSPACE_CREATION: 'operators', ACCOUNT_CREATION: 'operators' } });
    const { sessionToken } = await seedPerson(closed.db, { workspaceId: closed.workspaceId, role: 'owner' });
    const post = (path: string, body: object) =>
      request(closed.app).post(path).set('authorization', `Bearer ${sessionToken}`).send(body);
    const members = `/api/workspaces/${closed.workspaceId}/members`;
    const created = await post('/api/workspaces', { name: 'Mine', slug: 'mine' });
    const person = { email: 'new@example.com', role: 'viewer' };
    const added = await post(members, { ...person, password: 'correct horse battery' });
    const accounts = await closed.db.user.count({ where: { email: person.email } });
    const invited = await post(members, person);
    await closed.stop();
    expect([created.status, created.body.error.code]).toEqual([403, 'forbidden']);
    expect([added.status, added.body.error.details]).toEqual([400, [expect.objectContaining({ field: 'password' })]]);
    expect(accounts).toBe(0);
    expect([invited.status, invited.body.status]).toEqual([201, 'invited']);
  });

  test('a bad slug or name is a validation_error', async () => {
    const owner = await seedPerson(api.db);
    expect((await create(owner.sessionToken, { name: 'A', slug: 'No Good' })).status).toBe(400);
    expect((await create(owner.sessionToken, { name: '\u0000', slug: 'good' })).status).toBe(400);
  });
});

describe('the account interface', () => {
  test.each(['/api/auth/login', '/api/auth/logout', '/api/auth/set-password', '/api/workspaces'])(
    '%s answers another method with 405 and Allow',
    async (path) => {
      const reply = await request(api.app).delete(path);
      expect([reply.status, reply.body.error.code]).toEqual([405, 'method_not_allowed']);
      expect(reply.headers.allow).toContain('POST');
    },
  );

  test('an unknown path below it is a JSON 404', async () => {
    const reply = await request(api.app).get('/api/auth/unknown');
    expect([reply.status, reply.body]).toEqual([404, { error: { code: 'not_found', message: 'Route not found' } }]);
  });

  test('every other kind of credential is unauthorized', async () => {
    for (const token of [api.managementToken, api.apiKey, newToken('portal'), newToken('session')]) {
      expect((await me(token)).status).toBe(401);
    }
  });
});
