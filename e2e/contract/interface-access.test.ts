import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, type Reply, type Service, startService, unique } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const UNAUTHORIZED = {
  error: { code: 'unauthorized', message: expect.stringMatching(/^Missing or invalid authorization header: ./) },
};

/** Invalid credentials, named by what is wrong with them. */
const BROKEN: [string, string | undefined][] = [
  ['no header', undefined],
  ['an empty one', ''],
  ['no scheme', 'phm_abc'],
  ['another scheme', 'Basic YTpi'],
  ['no token', 'Bearer '],
  ['an unknown token', `Bearer phm_${'a'.repeat(40)}`],
  ['two tokens', 'Bearer a b'],
  ['a very long one', `Bearer ${'x'.repeat(4_000)}`],
];

describe('docs/interface.md, Credentials and interfaces: a missing or invalid Authorization header is unauthorized', () => {
  test.each(BROKEN)('%s', async (_, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const { m, workspaceId } = service.workspace;
    for (const [method, path] of [
      ['GET', `${m}/endpoints`],
      ['POST', `${m}/endpoints`],
      ['GET', `${m}/endpoints/ep_x`],
      ['GET', '/management/v1/workspaces/ws_x/endpoints'],
      ['GET', `/api/workspaces/${workspaceId}/endpoints`],
      ['GET', '/api/portal/endpoints'],
      ['POST', '/api/ingest/event/order.created'],
      ['POST', '/api/ingest/ep_x'],
      ['POST', '/api/ingest/batch'],
    ] as const) {
      const reply = await service.send(method, path, { headers });
      expect([path, reply.status, reply.body]).toEqual([path, 401, UNAUTHORIZED]);
    }
  });
});

test('docs/interface.md, Credentials and interfaces: each interface takes its own kind of credential and refuses every other', async () => {
  const { managementToken, apiKey, m, workspaceId, sessionOf, make, environmentId } = service.workspace;
  const session = await sessionOf('owner');
  const eventType = unique('kinds.of_');
  await make('/event-types', { name: eventType, publishIn: [environmentId] });
  const applicationId = await make('/applications', { name: 'A' });
  const portal = await service.workspace.manage('POST', `/applications/${applicationId}/portal-sessions`, {});
  const doors = {
    management: ['GET', `${m}/endpoints`],
    session: ['GET', `/api/workspaces/${workspaceId}/endpoints`],
    apiKey: ['POST', `/api/ingest/event/${eventType}`],
    portal: ['GET', '/api/portal/endpoints'],
  } as const;
  const tokens = { management: managementToken, session, apiKey, portal: portal.body.token };
  for (const [door, [method, path]] of Object.entries(doors)) {
    for (const [kind, token] of Object.entries(tokens)) {
      const { status } = await service.send(method, path, { token });
      expect([door, kind, status]).toEqual([door, kind, kind === door ? (door === 'apiKey' ? 202 : 200) : 401]);
    }
  }
});

test('docs/interface.md, Credentials and interfaces: a disabled management token gives token_disabled, on every path, until it is enabled again', async () => {
  const { dashboard, sessionOf, m } = service.workspace;
  const session = await sessionOf('admin');
  const created = await dashboard(session, 'POST', '/management-tokens', { name: 'T' });
  expect(created.status).toBe(201);
  const call = () => service.send('GET', `${m}/endpoints`, { token: created.body.token });
  expect((await call()).status).toBe(200);
  await dashboard(session, 'PATCH', `/management-tokens/${created.body.id}`, { isDisabled: true });
  const refused = await call();
  expect([refused.status, refused.body]).toEqual([
    403,
    { error: { code: 'token_disabled', message: 'Management token is disabled' } },
  ]);
  await dashboard(session, 'PATCH', `/management-tokens/${created.body.id}`, { isDisabled: false });
  expect((await call()).status).toBe(200);
  await dashboard(session, 'DELETE', `/management-tokens/${created.body.id}`);
  expect(codeOf(await call())).toBe('unauthorized');
});

test('docs/interface.md, Credentials and interfaces: a key only delivers into its own environment; X-API-Key is taken too', async () => {
  const { make, manage, ingest } = service.workspace;
  const staging = await make('/environments', { name: 'S', slug: unique('s-') });
  const key = (await manage('POST', `/environments/${staging}/api-keys`, { name: 'K' })).body.key;
  const here = await make('/endpoints', { url: 'https://127.0.0.1/', environmentId: staging });
  const there = await make('/endpoints', { url: 'https://127.0.0.1/' });
  const withKey = (id: string) => ingest(id, {}, { authorization: `Bearer ${key}` });
  expect([(await withKey(here)).status, codeOf(await withKey(there))]).toEqual([202, 'not_found']);
  const asHeader = await service.send('POST', `/api/ingest/${here}`, { headers: { 'x-api-key': key }, raw: '' });
  expect([asHeader.status, asHeader.body.environmentId]).toEqual([202, staging]);
});

test('docs/interface.md, Credentials and interfaces: a token on another path of a workspace gets the same 404 as for one that does not exist', async () => {
  const { managementToken, sessionOf } = service.workspace;
  const other = await service.another();
  const session = await sessionOf('owner');
  const replies: Reply[] = [];
  for (const id of [other.workspaceId, 'ws_01jczhk8m3fd8tqv5x0w2b9n4e', 'ws_x', 'x', '%00']) {
    replies.push(await service.send('GET', `/management/v1/workspaces/${id}/endpoints`, { token: managementToken }));
    replies.push(await service.send('GET', `/api/workspaces/${id}/endpoints`, { token: session }));
  }
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`))).toEqual(
    new Set(['404 {"error":{"code":"not_found","message":"Workspace not found"}}']),
  );
});

describe('docs/interface.md, Management token scopes: each allows what it names and no more', () => {
  test.each([
    ['read', { get: 200, post: 403, rotate: 403, keys: 200, newKey: 403 }],
    ['write', { get: 403, post: 201, rotate: 403, keys: 403, newKey: 403 }],
    ['keys', { get: 403, post: 403, rotate: 200, keys: 200, newKey: 201 }],
    ['payloads', { get: 403, post: 403, rotate: 403, keys: 403, newKey: 403 }],
  ] as const)('%s', async (scope, wanted) => {
    const { dashboard, sessionOf, make, m, environmentId } = service.workspace;
    const session = await sessionOf('owner');
    const created = await dashboard(session, 'POST', '/management-tokens', { name: 'T', scopes: [scope] });
    const endpointId = await make('/endpoints', { url: 'https://127.0.0.1/' });
    const status = async (method: string, path: string, body?: object) =>
      (await service.send(method, m + path, { token: created.body.token, body })).status;
    expect({
      get: await status('GET', '/endpoints'),
      post: await status('POST', '/event-types', { name: unique('scoped.type_') }),
      rotate: await status('POST', `/endpoints/${endpointId}/secret/rotate`, {}),
      keys: await status('GET', `/environments/${environmentId}/api-keys`),
      newKey: await status('POST', `/environments/${environmentId}/api-keys`, { name: 'K' }),
    }).toEqual(wanted);
  });
});

test('docs/interface.md, API key: shown once, rotated with a grace, gone at once when deleted', async () => {
  const { manage, make, ingest } = service.workspace;
  const environmentId = await make('/environments', { name: 'S', slug: unique('s-') });
  const path = `/environments/${environmentId}/api-keys`;
  const created = await manage('POST', path, { name: 'K' });
  expect(created.body).toEqual({
    ...{ id: expect.stringMatching(/^key_/), name: 'K', environmentId, keyPreview: expect.any(String) },
    ...{ createdAt: expect.any(String), lastUsedAt: null, expiresAt: null, revokedAt: null },
    key: expect.stringMatching(/^phk_/),
  });
  const listed = await manage('GET', path);
  expect(listed.body).toMatchObject([{ id: created.body.id }]);
  expect(listed.text).not.toContain(created.body.key);
  const rotated = await manage('POST', `${path}/${created.body.id}/rotate`, {});
  expect([rotated.status, rotated.body.key === created.body.key]).toEqual([201, false]);
  const endpointId = await make('/endpoints', { url: 'https://127.0.0.1/', environmentId });
  const accepts = async (key: string) => (await ingest(endpointId, {}, { authorization: `Bearer ${key}` })).status;
  expect([await accepts(created.body.key), await accepts(rotated.body.key)]).toEqual([202, 202]);
  const old = (await manage('GET', path)).body.find((one: { id: string }) => one.id === created.body.id);
  expect(Date.parse(old.revokedAt)).toBeGreaterThan(Date.now());
  expect((await manage('DELETE', `${path}/${rotated.body.id}`)).status).toBe(204);
  const ids = (await manage('GET', path)).body.map((one: { id: string }) => one.id);
  expect(ids).toEqual([created.body.id]);
});

describe('docs/interface.md, Roles: roles', () => {
  test.each([
    ['viewer', { read: 200, endpoint: 403, environment: 403, workspace: 403 }],
    ['member', { read: 200, endpoint: 201, environment: 403, workspace: 403 }],
    ['admin', { read: 200, endpoint: 201, environment: 201, workspace: 403 }],
    ['owner', { read: 200, endpoint: 201, environment: 201, workspace: 200 }],
  ] as const)('%s', async (role, wanted) => {
    const { dashboard, sessionOf } = await service.another();
    const session = await sessionOf(role);
    expect({
      read: (await dashboard(session, 'GET', '/endpoints')).status,
      endpoint: (await dashboard(session, 'POST', '/endpoints', { url: 'https://127.0.0.1/' })).status,
      environment: (await dashboard(session, 'POST', '/environments', { name: 'A', slug: 'a' })).status,
      workspace: (await dashboard(session, 'PATCH', '', { name: 'New' })).status,
    }).toEqual(wanted);
  });
});

describe('docs/interface.md, Errors: every error has exactly the shape {error:{code,message}}', () => {
  test.each<[string, string, string, Record<string, string>, string | undefined, number, string]>([
    ['an unknown route', 'GET', '/nowhere', {}, undefined, 404, 'not_found'],
    ['an unknown route of M', 'GET', 'M/nowhere', {}, undefined, 404, 'not_found'],
    ['a path that cannot be decoded', 'GET', 'M/endpoints/%ff', {}, undefined, 404, 'not_found'],
    ['another method', 'PUT', 'M/endpoints', {}, undefined, 405, 'method_not_allowed'],
    ['another method of ingestion', 'GET', '/api/ingest/event/a', {}, undefined, 405, 'method_not_allowed'],
    ['malformed JSON', 'POST', 'M/endpoints', { 'content-type': 'application/json' }, '{', 400, 'validation_error'],
    ['a list for a body', 'POST', 'M/endpoints', { 'content-type': 'application/json' }, '[]', 400, 'validation_error'],
    ['null for a body', 'POST', 'M/endpoints', { 'content-type': 'application/json' }, 'null', 400, 'validation_error'],
    ['no JSON', 'POST', 'M/endpoints', { 'content-type': 'text/plain' }, '{}', 415, 'unsupported_media_type'],
    [
      ...['a compressed body', 'POST', 'M/endpoints'],
      ...[{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, '{}', 415, 'unsupported_media_type'],
    ] as never,
    [
      ...['a body over 256 KiB', 'POST', 'M/endpoints', { 'content-type': 'application/json' }],
      ...[`{"a":"${'x'.repeat(262_144)}"}`, 413, 'payload_too_large'],
    ] as never,
    [
      'a query parameter twice',
      'GET',
      'M/endpoints?environment_id=a&environment_id=b',
      {},
      undefined,
      400,
      'validation_error',
    ],
  ])('%s', async (_, method, path, headers, raw, status, code) => {
    const { m, managementToken } = service.workspace;
    const reply = await service.send(method, path.replace(/^M/, m), {
      token: managementToken,
      headers,
      ...(raw === undefined ? {} : { raw }),
    });
    expect([reply.status, codeOf(reply)]).toEqual([status, code]);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(reply.text).not.toMatch(/node_modules|at \w+ \(|select |prisma/i);
  });
});

test('docs/interface.md, Request ids: every answer carries X-Request-Id, the one of the caller when it is sane', async () => {
  const { manage, m, managementToken } = service.workspace;
  expect((await manage('GET', '/endpoints')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  for (const [given, kept] of [
    ['abc-123', true],
    ['x'.repeat(2_000), false],
    ['<script>', false],
  ] as const) {
    const reply = await service.send('GET', `${m}/endpoints`, {
      token: managementToken,
      headers: { 'x-request-id': given },
    });
    expect([given, reply.headers.get('x-request-id') === given]).toEqual([given, kept]);
  }
});

test('docs/interface.md, Bodies and fields: an absent body is {}', async () => {
  const { m, managementToken, make } = service.workspace;
  const id = await make('/endpoints', { url: 'https://127.0.0.1/' });
  expect((await service.send('PATCH', `${m}/endpoints/${id}`, { token: managementToken })).status).toBe(200);
  const missing = await service.send('POST', `${m}/endpoints`, { token: managementToken });
  expect(missing.body.error.message).toBe('url is required');
});

test('docs/interface.md, Strict requests: every problem is told at once, and nothing is changed', async () => {
  const { manage } = service.workspace;
  const before = (await manage('GET', '/endpoints')).body;
  const body = { url: 'https://127.0.0.1/', description: 1, config: { retryShedule: [1] }, someday: { a: 1 } };
  const refused = await manage('POST', '/endpoints?dry_run=true', body);
  const message = 'description must be a string';
  const details = [
    { field: 'description', message, rule: 'type' },
    { field: 'query.dry_run', message: 'Unknown query parameter "dry_run"', rule: 'unknown' },
    {
      field: 'config.retryShedule',
      message: 'Unknown field "config.retryShedule"; did you mean "config.retrySchedule"?',
      rule: 'unknown',
    },
    { field: 'someday', message: 'Unknown field "someday"', rule: 'unknown' },
  ];
  expect([refused.status, refused.body]).toEqual([400, { error: { code: 'validation_error', message, details } }]);
  expect((await manage('GET', '/endpoints')).body).toEqual(before);
});

test('docs/interface.md, Strict requests: what was read can be changed and sent back', async () => {
  const { manage, make } = service.workspace;
  const id = await make('/endpoints', { url: 'https://127.0.0.1/' });
  const read = (await manage('GET', `/endpoints/${id}`)).body;
  const sent = await manage('PATCH', `/endpoints/${id}`, { ...read, description: 'Changed' });
  expect([sent.status, sent.body]).toEqual([200, { ...read, description: 'Changed', updatedAt: expect.any(String) }]);
  const moved = await manage('PATCH', `/endpoints/${id}`, { ...read, environmentId: 'env_other' });
  expect(moved.body.error.message).toBe('environmentId cannot be changed');
});

test('docs/interface.md, Health: health, readiness and the OpenAPI document are for anybody', async () => {
  expect((await service.send('GET', '/healthz')).status).toBe(200);
  const ready = await service.send('GET', '/readyz');
  const [redis, queue] = service.stack.redisUrl === '' ? ['unused', 'postgres'] : ['up', 'redis'];
  expect([ready.status, ready.body]).toEqual([
    200,
    { status: 'ready', dependencies: { postgres: 'up', redis }, queue },
  ]);
  const document = await service.send('GET', '/openapi.json');
  expect([document.status, document.body.openapi]).toEqual([200, '3.1.0']);
});

test('docs/interface.md, Management token: GET /management/v1/me tells any token its workspace, its scopes and the environments', async () => {
  const { dashboard, sessionOf, workspaceId, manage } = service.workspace;
  const session = await sessionOf('admin');
  const created = await dashboard(session, 'POST', '/management-tokens', { name: 'T', scopes: ['keys'] });
  const reply = await service.send('GET', '/management/v1/me', { token: created.body.token });
  expect([reply.status, reply.body]).toEqual([
    200,
    {
      workspace: { id: workspaceId, name: 'Acme', slug: expect.any(String), plan: 'enterprise' },
      token: {
        id: created.body.id,
        name: 'T',
        tokenPreview: created.body.tokenPreview,
        scopes: ['keys'],
        environmentIds: null,
        allowedNetworks: null,
        expiresAt: null,
        createdAt: created.body.createdAt,
      },
      environments: (await manage('GET', '/environments')).body,
    },
  ]);
  expect(codeOf(await service.send('GET', '/management/v1/me', { token: session }))).toBe('unauthorized');
});

test('docs/interface.md, Management token: a bound one reaches its environments alone, from its networks alone', async () => {
  const { dashboard, sessionOf, m, manage, environmentId } = service.workspace;
  const session = await sessionOf('admin');
  const slug = unique('bound-');
  const { id } = (await manage('POST', '/environments', { name: 'Bound', slug })).body;
  const endpoint = (await manage('POST', '/endpoints', { url: 'https://127.0.0.1/', environmentId })).body.id;
  const tokenWith = async (bounds: object) =>
    (await dashboard(session, 'POST', '/management-tokens', { name: 'T', ...bounds })).body.token;
  const token = await tokenWith({ environmentIds: [id] });
  const use = (method: string, path: string, body?: unknown) => service.send(method, m + path, { token, body });
  expect((await use('GET', '/endpoints')).body).toEqual([]);
  expect(codeOf(await use('GET', `/endpoints/${endpoint}`))).toBe('not_found');
  expect(codeOf(await use('GET', `/deliveries?environment_id=${environmentId}`))).toBe('not_found');
  expect((await use('POST', '/endpoints', { url: 'https://127.0.0.1/' })).body.environmentId).toBe(id);
  expect(codeOf(await use('POST', '/event-types', { name: 'order.bound' }))).toBe('forbidden');
  expect((await use('GET', '')).status).toBe(200);
  const elsewhere = await tokenWith({ allowedNetworks: ['203.0.113.0/24'] });
  expect(codeOf(await service.send('GET', m, { token: elsewhere }))).toBe('forbidden');
  await manage('DELETE', `/environments/${id}`);
});

test('docs/interface.md, Idempotency-Key of changes: the same request under one key creates once, and another body is a conflict', async () => {
  const { m, managementToken: token, environmentId, manage } = service.workspace;
  const headers = { 'idempotency-key': unique('change-') };
  const body = { url: 'https://127.0.0.1/once', environmentId };
  const before = (await manage('GET', '/endpoints')).body.length;
  const replies = await Promise.all(
    [1, 2, 3].map(() => service.send('POST', `${m}/endpoints`, { token, headers, body })),
  );
  expect(replies.map(({ status, body: answer }) => [status, answer])).toEqual(
    Array.from({ length: 3 }, () => [201, replies[0]?.body]),
  );
  expect(replies.map((reply) => reply.headers.get('idempotent-replayed')).sort()).toEqual([null, 'true', 'true']);
  expect((await manage('GET', '/endpoints')).body).toHaveLength(before + 1);
  const other = await service.send('POST', `${m}/endpoints`, { token, headers, body: { ...body, description: 'b' } });
  expect([other.status, codeOf(other)]).toEqual([409, 'idempotency_conflict']);
});
