import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller } from '../../test/caller.ts';
import { seedPerson, uuidOf } from '../../test/people.ts';

let api: ApiUnderTest;
let workspace: SeededWorkspace;
let call: Caller;
let offsetMs = 0;

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + offsetMs), monotonicMs: () => performance.now() };
  api = await startApi({ clock, rateLimits: { management: 0, ingest: 0 } });
});
afterAll(() => api.stop());
beforeEach(async () => {
  offsetMs = 0;
  workspace = await api.seedAnother();
  call = await callerAs('admin');
});

async function callerAs(role: 'viewer' | 'member' | 'admin') {
  const { sessionToken } = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role });
  return createCaller(api.app, {
    base: `/api/workspaces/${workspace.workspaceId}/management-tokens`,
    token: sessionToken,
  });
}
const create = async (body: object = {}) => (await call('post', '', { name: 'Deploy', ...body })).body;
const use = (token: string, method: 'get' | 'post' = 'get', path = '/environments', body?: object) =>
  createCaller(api.app, { base: `/management/v1/workspaces/${workspace.workspaceId}`, token })(method, path, body);
const entries = () =>
  api.db.auditEntry.findMany({ where: { workspaceId: uuidOf('ws', workspace.workspaceId) }, orderBy: { id: 'asc' } });

describe('a new token', () => {
  test('is shown once, and has all scopes by default', async () => {
    const reply = await call('post', '', { name: 'Deploy' });
    const { token, ...rest } = reply.body;
    expect([reply.status, rest]).toEqual([
      201,
      {
        id: expect.stringMatching(/^tok_/),
        name: 'Deploy',
        tokenPreview: `phm_…${token.slice(-4)}`,
        scopes: ['read', 'write', 'keys', 'payloads'],
        environmentIds: null,
        allowedNetworks: null,
        isDisabled: false,
        expiresAt: null,
        lastUsedAt: null,
        createdAt: expect.any(String),
        createdBy: expect.stringMatching(/^usr_/),
      },
    ]);
    expect((await call('get')).body.at(-1)).toEqual(rest);
    expect((await use(token)).status).toBe(200);
    const [entry] = (await entries()).slice(-1);
    expect([entry?.action, entry?.resourceType]).toEqual(['management_token.created', 'management_token']);
    expect(JSON.stringify(entry?.metadata)).not.toContain(token);
  });

  test('without an end is one with the end null, as it is answered', async () => {
    expect([(await create()).expiresAt, (await create({ expiresAt: null })).expiresAt]).toEqual([null, null]);
  });

  test('may do what its scopes allow, and no more', async () => {
    const { token, scopes } = await create({ scopes: ['read', 'read'] });
    expect(scopes).toEqual(['read']);
    expect((await use(token)).status).toBe(200);
    const refused = await use(token, 'post', '/environments', { name: 'a', slug: 'a' });
    expect([refused.status, codeOf(refused)]).toEqual([403, 'forbidden']);
  });

  test('ends when it expires', async () => {
    const { token } = await create({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
    expect((await use(token)).status).toBe(200);
    offsetMs = 61_000;
    expect((await use(token)).status).toBe(401);
  });

  test.each<[string, object]>([
    ['no name', { name: undefined }],
    ['a name with a line break', { name: 'a\nb' }],
    ['no scope at all', { scopes: [] }],
    ['an unknown scope', { scopes: ['admin'] }],
    ['scopes in text', { scopes: 'read' }],
    ['a past end', { expiresAt: '2020-01-01T00:00:00Z' }],
  ])('%s is refused', async (_, body) => {
    expect(codeOf(await call('post', '', { name: 'Deploy', ...body }))).toBe('validation_error');
  });
});

test('a disabled one is refused as token_disabled from the next request on; enabled again, it works', async () => {
  const { id, token } = await create();
  const { length } = await entries();
  expect((await call('patch', `/${id}`, { isDisabled: true })).body).toMatchObject({ id, isDisabled: true });
  const refused = await use(token);
  expect([refused.status, refused.body.error]).toEqual([
    403,
    { code: 'token_disabled', message: 'Management token is disabled' },
  ]);
  for (const body of [undefined, {}, { isDisabled: true }])
    expect((await call('patch', `/${id}`, body)).status).toBe(200);
  expect((await call('patch', `/${id}`, { isDisabled: false })).body.isDisabled).toBe(false);
  expect((await use(token)).status).toBe(200);
  expect((await entries()).slice(length).map(({ action }) => action)).toEqual([
    'management_token.disabled',
    'management_token.enabled',
  ]);
  for (const isDisabled of [null, 'true', 1]) {
    expect(codeOf(await call('patch', `/${id}`, { isDisabled }))).toBe('validation_error');
  }
});

test('a deleted one is unknown from the next request on', async () => {
  const { id, token } = await create();
  const reply = await call('delete', `/${id}`);
  expect([reply.status, reply.text]).toEqual([204, '']);
  expect((await use(token)).status).toBe(401);
  expect((await call('delete', `/${id}`)).status).toBe(404);
  expect((await entries()).at(-1)?.action).toBe('management_token.deleted');
});

test('all of a person’s are deleted at once, even when the person is no longer a member', async () => {
  const maker = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'admin' });
  const base = `/api/workspaces/${workspace.workspaceId}/management-tokens`;
  const asMaker = createCaller(api.app, { base, token: maker.sessionToken });
  const made = await Promise.all([1, 2].map(async () => (await asMaker('post', '', { name: 'Theirs' })).body));
  expect(made.map(({ createdBy }) => createdBy)).toEqual([maker.userId, maker.userId]);
  const others = await create();
  await api.db.member.deleteMany({ where: { userId: uuidOf('usr', maker.userId) } });
  expect((await use(made[0].token)).status).toBe(200);
  const { length } = await entries();
  const reply = await call('delete', `?created_by=${maker.userId}`);
  expect([reply.status, reply.text]).toEqual([204, '']);
  expect([(await use(made[0].token)).status, (await use(made[1].token)).status]).toEqual([401, 401]);
  expect((await use(others.token)).status).toBe(200);
  expect((await use(workspace.managementToken)).status).toBe(200);
  const added = (await entries()).slice(length);
  expect(added).toMatchObject([{ action: 'management_token.deleted', resourceId: maker.userId }]);
  const tokenIds = { from: made.map(({ id }) => id).sort(), to: [] };
  expect(added[0]?.metadata).toMatchObject({ changes: { tokenIds } });
  for (const userId of [maker.userId, 'usr_1', (await seedPerson(api.db)).userId]) {
    expect(codeOf(await call('delete', `?created_by=${userId}`))).toBe('not_found');
  }
  expect(codeOf(await call('delete'))).toBe('validation_error');
});

test('a workspace has at most 100 tokens, also under concurrent requests; a deleted one leaves room', async () => {
  const place = { workspaceId: uuidOf('ws', workspace.workspaceId), name: 'Old', preview: 'phm_…', scopes: ['read'] };
  const have = await api.db.managementToken.count({ where: { workspaceId: place.workspaceId } });
  await api.db.managementToken.createMany({
    data: Array.from({ length: 98 - have }, (_, n) => ({
      ...place,
      id: randomUUID(),
      digest: randomBytes(32),
      ...(n % 2 === 0 ? { isDisabled: true } : { expiresAt: new Date(0) }),
    })),
  });
  const replies = await Promise.all(Array.from({ length: 5 }, () => call('post', '', { name: 'Deploy' })));
  expect(replies.map((reply) => reply.status).sort()).toEqual([201, 201, 409, 409, 409]);
  const refused = replies.find((reply) => reply.status === 409);
  expect(refused?.body.error).toEqual({
    code: 'limit_reached',
    message: 'A workspace has at most 100 management tokens, disabled and expired ones included',
  });
  const made = replies.find((reply) => reply.status === 201);
  await call('delete', `/${made?.body.id}`);
  expect((await call('post', '', { name: 'Deploy' })).status).toBe(201);
});

test('no token can create or list tokens: the management interface has no such operation', async () => {
  const { token } = await create();
  for (const [method, path] of [
    ['get', '/management-tokens'],
    ['post', '/management-tokens'],
  ] as const) {
    const reply = await use(token, method, path, { name: 'a' });
    expect([reply.status, codeOf(reply)]).toEqual([404, 'not_found']);
  }
});

test('a viewer and a member can list them, and cannot change them', async () => {
  const { id } = await create();
  for (const role of ['viewer', 'member'] as const) {
    const as = await callerAs(role);
    const statuses = [
      (await as('get')).status,
      (await as('post', '', { name: 'a' })).status,
      (await as('patch', `/${id}`, { isDisabled: true })).status,
      (await as('delete', `/${id}`)).status,
    ];
    expect(statuses).toEqual([200, 403, 403, 403]);
  }
});

describe('GET /management/v1/me', () => {
  const me = (token: string) => createCaller(api.app, { base: '/management/v1', token })('get', '/me');

  test('tells a token its workspace, its scopes and end, and the environments', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { token, id } = await create({ scopes: ['read'], expiresAt });
    const environments = (await use(token)).body;
    const reply = await me(token);
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        workspace: { id: workspace.workspaceId, name: 'Acme', slug: expect.any(String), plan: 'enterprise' },
        token: {
          id,
          name: 'Deploy',
          tokenPreview: `phm_…${token.slice(-4)}`,
          scopes: ['read'],
          environmentIds: null,
          allowedNetworks: null,
          expiresAt,
          createdAt: expect.any(String),
        },
        environments,
      },
    ]);
    expect(environments).toHaveLength(1);
  });

  test('needs no certain scope, and refuses a token that is disabled, expired or deleted', async () => {
    const { id, token } = await create({ scopes: ['keys'], expiresAt: new Date(Date.now() + 60_000).toISOString() });
    expect((await me(token)).body.token.scopes).toEqual(['keys']);
    await call('patch', `/${id}`, { isDisabled: true });
    expect(codeOf(await me(token))).toBe('token_disabled');
    offsetMs = 61_000;
    expect(codeOf(await me(token))).toBe('unauthorized');
    await call('delete', `/${id}`);
    expect(codeOf(await me(token))).toBe('unauthorized');
  });
});
