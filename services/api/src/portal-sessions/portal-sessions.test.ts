import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CAPABILITIES, type Capability, NAMED_CAPABILITIES, SCOPES, type Scope } from '@posthorn/contract/access';
import { newUuid, toId } from '@posthorn/contract/ids';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { codeOf } from '../../test/caller.ts';
import { seedPerson, uuidOf } from '../../test/people.ts';

const UNNAMED = CAPABILITIES.filter((one) => !NAMED_CAPABILITIES.includes(one));

let api: ApiUnderTest;
let applicationId: string;
let offsetMs = 0;

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + offsetMs), monotonicMs: () => performance.now() };
  api = await startApi({ clock, rateLimits: { management: 0, ingest: 0 } });
  applicationId = await newApplication(api, 'customer-1');
});
afterAll(() => api.stop());

async function newApplication(workspace: SeededWorkspace, externalId?: string): Promise<string> {
  const id = newUuid(new Date());
  await api.db.application.create({
    data: { id, workspaceId: uuidOf('ws', workspace.workspaceId), name: 'Customer', externalId: externalId ?? null },
  });
  return toId('app', id);
}

type Method = 'get' | 'post' | 'delete';

function call(method: Method, path = '', body?: object, workspace: SeededWorkspace = api, application = applicationId) {
  return request(api.app)
    [method](`/management/v1/workspaces/${workspace.workspaceId}/applications/${application}/portal-sessions${path}`)
    .set('authorization', `Bearer ${workspace.managementToken}`)
    .send(body);
}

const portal = (token: string) => request(api.app).get('/api/portal/session').set('authorization', `Bearer ${token}`);
const entries = (action: string) => api.db.auditEntry.findMany({ where: { action }, orderBy: { id: 'asc' } });

describe('creating a portal session', () => {
  test('docs/interface.md, Portal session: ends the oldest beyond 1,000 live ones of its application, and none of another', async () => {
    const [application, other] = [await newApplication(api), await newApplication(api)];
    const kept = (await call('post', '', {}, api, other)).body.token;
    const oldest = (await call('post', '', {}, api, application)).body.token;
    const next = (await call('post', '', {}, api, application)).body.token;
    const rows = Array.from({ length: 998 }, () => ({
      ...{ id: newUuid(new Date()), applicationId: uuidOf('app', application), capabilities: [] },
      ...{ environmentId: uuidOf('env', api.environmentId), digest: randomBytes(32) },
      expiresAt: new Date(Date.now() + 3_600_000),
    }));
    await api.db.portalSession.createMany({ data: rows });
    expect((await portal(oldest)).status).toBe(200);
    const created = await call('post', '', {}, api, application);
    expect(created.status).toBe(201);
    const statuses = await Promise.all(
      [oldest, next, created.body.token, kept].map(async (token) => (await portal(token)).status),
    );
    expect(statuses).toEqual([401, 200, 200, 200]);
    expect(await api.db.portalSession.count({ where: { applicationId: uuidOf('app', application) } })).toBe(1_000);
  });

  test('an empty body gives an hour in the default environment with every capability that needs no name', async () => {
    const reply = await call('post');
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^prt_/),
      applicationId,
      environmentId: api.environmentId,
      url: `http://localhost:3000/portal/${reply.body.id}#token=${reply.body.token}`,
      token: expect.stringMatching(/^php_/),
      capabilities: UNNAMED,
      theme: null,
      locale: 'en',
      returnUrl: null,
      expiresAt: expect.any(String),
      createdAt: expect.any(String),
    });
    expect(Date.parse(reply.body.expiresAt) - Date.parse(reply.body.createdAt)).toBe(3_600_000);
    expect((await portal(reply.body.token)).status).toBe(200);
  });

  test('the session has what the request asked for', async () => {
    const theme = {
      mode: 'dark',
      primaryColor: '#00Ff7a',
      logoUrl: 'https://cdn.example.com/logo.svg',
      fontFamily: 'Inter, Segoe UI',
      radius: 0,
      css: '--surface: #fafafa; --line: rgb(0 0 0 / 10%);',
    };
    const reply = await call('post', '', {
      environmentId: api.environmentId,
      expiresInSeconds: 300,
      capabilities: ['deliveries:read', 'endpoints:read', 'deliveries:read'],
      theme,
      locale: 'fr',
      returnUrl: 'http://localhost:5173/settings?tab=webhooks',
    });
    expect(reply.body).toMatchObject({
      capabilities: ['endpoints:read', 'deliveries:read'],
      theme,
      locale: 'fr',
      returnUrl: 'http://localhost:5173/settings?tab=webhooks',
    });
    expect((await portal(reply.body.token)).body).toMatchObject({ theme, locale: 'fr', applicationName: 'Customer' });
  });

  test('the token is in no later answer, no audit entry and no log line', async () => {
    const { token, id } = (await call('post')).body;
    const later = [(await call('get')).body, (await call('get', `/${id}`)).body, api.logLines];
    // An audit row contains a BigInt, which JSON cannot express.
    const seen = JSON.stringify(later) + inspect(await entries('portal_session.created'), { depth: null });
    expect(seen).toContain(id);
    expect(seen).not.toContain(token);
  });

  test.each<[string, readonly Scope[], readonly Capability[]]>([
    [
      'write alone',
      ['write'],
      ['endpoints:write', 'deliveries:retry', 'events:test', 'transformations:write', 'alerts:write'],
    ],
    [
      'read and write',
      ['read', 'write'],
      [
        'endpoints:read',
        'endpoints:write',
        'secrets:read',
        'deliveries:read',
        'deliveries:retry',
        'events:test',
        'transformations:write',
        'alerts:write',
      ],
    ],
    [
      'write and keys',
      ['write', 'keys', 'payloads'],
      ['endpoints:write', 'secrets:rotate', 'deliveries:retry', 'events:test', 'transformations:write', 'alerts:write'],
    ],
    ['all', SCOPES, CAPABILITIES],
  ])(
    'a token with %s gives at most its own rights, which are also the default but for those that must be named',
    async (_, scopes, most) => {
      const workspace = await api.seedAnother({ scopes });
      const application = await newApplication(workspace);
      const given = await call('post', '', {}, workspace, application);
      expect([given.status, given.body.capabilities]).toEqual([201, most.filter((one) => UNNAMED.includes(one))]);
      for (const capability of CAPABILITIES) {
        const reply = await call('post', '', { capabilities: [capability] }, workspace, application);
        expect([capability, codeOf(reply)]).toEqual([capability, most.includes(capability) ? 201 : 'forbidden']);
      }
    },
  );

  test('a member cannot give rotation of secrets, and an admin can give everything', async () => {
    for (const [role, most] of [
      ['member', CAPABILITIES.filter((one) => one !== 'secrets:rotate')],
      ['admin', CAPABILITIES],
      ['owner', CAPABILITIES],
    ] as const) {
      const { sessionToken } = await seedPerson(api.db, { workspaceId: api.workspaceId, role });
      const create = (body: object) =>
        request(api.app)
          .post(`/api/workspaces/${api.workspaceId}/applications/${applicationId}/portal-sessions`)
          .set('authorization', `Bearer ${sessionToken}`)
          .send(body);
      expect((await create({})).body.capabilities).toEqual(most.filter((one) => UNNAMED.includes(one)));
      expect((await create({ capabilities: most })).body.capabilities).toEqual(most);
      const rotating = await create({ capabilities: ['endpoints:read', 'secrets:rotate'] });
      expect(codeOf(rotating)).toBe(role === 'member' ? 'forbidden' : 201);
    }
  });

  test('the application can be named by its external id', async () => {
    const reply = await call('post', '', {}, api, 'ext:customer-1');
    expect([reply.status, reply.body.applicationId]).toEqual([201, applicationId]);
  });

  test('a logo on this machine is allowed while BASE_URL is local', async () => {
    const theme = { logoUrl: 'http://localhost:5173/logo.svg' };
    const reply = await call('post', '', { theme });
    expect([reply.status, reply.body.theme]).toEqual([201, theme]);
  });

  test.each([
    [{ expiresInSeconds: 299 }, 'expiresInSeconds must be whole seconds from 300 to 604,800'],
    [{ expiresInSeconds: 604_801 }, 'expiresInSeconds must be whole seconds from 300 to 604,800'],
    [{ expiresInSeconds: 300.5 }, 'expiresInSeconds must be whole seconds from 300 to 604,800'],
    [{ expiresInSeconds: '3600' }, 'expiresInSeconds must be whole seconds from 300 to 604,800'],
    [{ capabilities: ['everything'] }, `capabilities[0] must be one of ${CAPABILITIES.join(', ')}`],
    [{ capabilities: 'endpoints:read' }, 'capabilities must be an array'],
    [{ theme: { mode: 'blue' } }, 'theme.mode must be light, dark or auto'],
    [{ theme: { primaryColor: 'red' } }, 'theme.primaryColor must be #rrggbb'],
    [{ theme: { primaryColor: '#12345;' } }, 'theme.primaryColor must be #rrggbb'],
    [{ theme: { logoUrl: 'http://example.com/a.png' } }, 'theme.logoUrl must be an https URL'],
    [{ theme: { logoUrl: 'http://localhost.example/a.png' } }, 'theme.logoUrl must be an https URL'],
    [{ theme: { logoUrl: 'javascript:alert(1)' } }, 'theme.logoUrl must be an https URL'],
    [{ theme: 'dark' }, 'theme must be an object'],
    [{ theme: { radius: 25 } }, 'theme.radius must be whole pixels from 0 to 24'],
    [{ theme: { radius: 1.5 } }, 'theme.radius must be whole pixels from 0 to 24'],
    ...['Inter; color: red', 'a"', "a'b", 'a}b', 'url(x)', 'var(--a)', ',a'].map((fontFamily): [object, string] => [
      { theme: { fontFamily } },
      'theme.fontFamily must be names of fonts with commas between them, without quotes',
    ]),
    ...[
      'color: red',
      '--a: red} body{display:none',
      '--a: url(https://evil.example/a)',
      '--a: URL(x)',
      '--a: image-set(x)',
      '--a: "x"',
      '--a: \\75rl(x)',
      '--a: /* x',
      '--A: red',
      '--a',
      '@import x',
    ].map((css): [object, string] => [
      { theme: { css } },
      'theme.css must be declarations of custom properties, such as --surface: #fafafa; --line: #ddd',
    ]),
    [{ locale: 'it' }, 'locale must be en, de or fr'],
    [{ returnUrl: 'javascript:alert(1)' }, 'returnUrl must be an http or https URL'],
    [{ returnUrl: 'data:text/html,x' }, 'returnUrl must be an http or https URL'],
    [{ returnUrl: '/relative' }, 'returnUrl must be an http or https URL'],
    [{ returnUrl: 'https://user:pass@example.com/' }, 'returnUrl must not contain a username or password'],
    [{ returnUrl: 'https://example.com/\u0000' }, 'returnUrl must not contain control characters or lone surrogates'],
    [{ returnUrl: `https://example.com/${'a'.repeat(2_048)}` }, 'returnUrl must be 1 to 2048 characters'],
    [{ environmentId: '' }, 'environmentId must be at least 1 character'],
  ])('%j is refused', async (body, message) => {
    const reply = await call('post', '', body);
    expect([reply.status, reply.body]).toMatchObject([400, { error: { code: 'validation_error', message } }]);
  });

  test('a missing or another workspace’s environment or application is not_found', async () => {
    const other = await api.seedAnother();
    for (const environmentId of ['env_1', other.environmentId, toId('env', newUuid(new Date()))]) {
      const reply = await call('post', '', { environmentId });
      expect([reply.status, reply.body.error.message]).toEqual([404, 'Environment not found']);
    }
    for (const application of ['app_1', 'ext:', 'ext:nobody', await newApplication(other)]) {
      const reply = await call('post', '', {}, api, application);
      expect([reply.status, reply.body.error.message]).toEqual([404, 'Application not found']);
    }
  });

  test('the free plan has no portal, through any interface', async () => {
    const free = await api.seedAnother({ plan: 'free' });
    const application = await newApplication(free);
    for (const method of ['get', 'post'] as const) {
      const reply = await call(method, '', {}, free, application);
      expect([reply.status, reply.body.error.code]).toEqual([403, 'plan_required']);
    }
  });
});

describe('a portal session', () => {
  test('is listed and readable until it expires, and not afterwards', async () => {
    const application = await newApplication(api);
    const { body: made } = await call('post', '', { expiresInSeconds: 600 }, api, application);
    const { url: _url, token, ...shown } = made;
    expect((await call('get', '', undefined, api, application)).body).toEqual([shown]);
    expect((await call('get', `/${made.id}`, undefined, api, application)).body).toEqual(shown);
    offsetMs = 601_000;
    const after = await Promise.all([
      call('get', '', undefined, api, application),
      call('get', `/${made.id}`, undefined, api, application),
      portal(token),
    ]);
    offsetMs = 0;
    expect(after.map((reply) => reply.status)).toEqual([200, 404, 401]);
    expect(after[0]?.body).toEqual([]);
  });

  test('is refused from the answer of its deletion on, which leaves one audit entry', async () => {
    const { id, token } = (await call('post')).body;
    const reply = await call('delete', `/${id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await portal(token)).status).toBe(401);
    expect((await call('delete', `/${id}`)).status).toBe(404);
    const made = (await entries('portal_session.deleted')).filter((entry) => entry.resourceId === id);
    expect(made).toMatchObject([
      { resourceType: 'portal_session', actorType: 'management_token', visibility: 'workspace' },
    ]);
  });

  test('of another application is not found under this one', async () => {
    const { id } = (await call('post')).body;
    const application = await newApplication(api);
    expect((await call('get', `/${id}`, undefined, api, application)).status).toBe(404);
    expect((await call('delete', `/${id}`, undefined, api, application)).status).toBe(404);
    expect((await call('get', `/${id}`)).status).toBe(200);
  });

  test.each([
    [
      'its application is deleted',
      (id: string) => api.db.application.update({ where: { id }, data: { deletedAt: new Date() } }),
    ],
    [
      'its environment is deleted',
      async (applicationUuid: string) => {
        const sessions = await api.db.portalSession.findMany({ where: { applicationId: applicationUuid } });
        const ids = sessions.map((session) => session.environmentId);
        return api.db.environment.updateMany({ where: { id: { in: ids } }, data: { deletedAt: new Date() } });
      },
    ],
  ])('ends when %s', async (_what, end) => {
    const workspace = await api.seedAnother();
    const application = await newApplication(workspace);
    const { token } = (await call('post', '', {}, workspace, application)).body;
    expect((await portal(token)).status).toBe(200);
    await end(uuidOf('app', application));
    expect((await portal(token)).status).toBe(401);
  });

  test('is plan_required once its workspace is on the free plan', async () => {
    const workspace = await api.seedAnother();
    const { token } = (await call('post', '', {}, workspace, await newApplication(workspace))).body;
    await api.db.workspace.update({ where: { id: uuidOf('ws', workspace.workspaceId) }, data: { plan: 'free' } });
    const reply = await portal(token);
    expect([reply.status, reply.body.error.code]).toEqual([403, 'plan_required']);
  });
});
