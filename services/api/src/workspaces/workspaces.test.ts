import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller } from '../../test/caller.ts';
import { seedPerson, uuidOf } from '../../test/people.ts';

let api: ApiUnderTest;
let call: Caller;
beforeAll(async () => {
  api = await startApi();
  call = createCaller(api.app, { base: api.base, token: api.managementToken });
});
afterAll(() => api.stop());

const entries = () =>
  api.db.auditEntry.findMany({ where: { workspaceId: uuidOf('ws', api.workspaceId) }, orderBy: { id: 'asc' } });

test('a workspace is answered completely, and every later answer has the new name', async () => {
  const reply = await call('get');
  expect([reply.status, reply.body]).toEqual([
    200,
    {
      id: api.workspaceId,
      name: 'Acme',
      slug: expect.any(String),
      plan: 'enterprise',
      portalOrigins: [],
      portalTerms: { event: 'Message' },
      payloadRetentionHours: null,
      installationRetentionHours: 168,
      requireSecondFactor: false,
      retentionHours: null,
      quotas: {
        eventsPerDay: { limit: null, used: 0 },
        bytesKept: { limit: null, used: 0 },
        attemptBytesKept: { limit: null, used: 0 },
      },
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    },
  ]);
  const renamed = await call('patch', '', { ...reply.body, name: 'Globex' });
  expect(renamed.body).toEqual({ ...reply.body, name: 'Globex', updatedAt: renamed.body.updatedAt });
  expect(renamed.body.updatedAt > reply.body.updatedAt).toBe(true);
  expect((await call('get')).body).toEqual(renamed.body);
  const [entry, ...more] = await entries();
  expect([entry?.action, entry?.resourceId, more]).toEqual(['workspace.updated', api.workspaceId, []]);
  expect(entry?.metadata).toMatchObject({ changes: { name: { from: 'Acme', to: 'Globex' } } });
});

test('slug and plan never change', async () => {
  const before = await call('get');
  for (const change of [{ slug: 'another' }, { plan: 'free' }]) {
    const reply = await call('patch', '', { name: 'Unseen', ...change });
    expect([reply.status, reply.body.error.details]).toEqual([
      400,
      [{ field: Object.keys(change)[0], message: expect.any(String) }],
    ]);
  }
  expect((await call('get')).body).toEqual(before.body);
});

test('a change to the current value is a no-op without an audit entry', async () => {
  const before = await call('get');
  const count = (await entries()).length;
  for (const body of [undefined, {}, { name: before.body.name }]) {
    const reply = await call('patch', '', body);
    expect([reply.status, reply.body]).toEqual([200, before.body]);
  }
  expect(await entries()).toHaveLength(count);
});

test('an owner chooses what the portal calls an event', async () => {
  const before = (await entries()).length;
  const reply = await call('patch', '', { portalTerms: { event: 'Event' } });
  expect([reply.status, reply.body.portalTerms]).toEqual([200, { event: 'Event' }]);
  expect((await call('patch', '', { name: 'Acme' })).body.portalTerms).toEqual({ event: 'Event' });
  const [entry] = (await entries()).slice(before);
  expect(entry?.metadata).toMatchObject({
    changes: { portalTerms: { from: { event: 'Message' }, to: { event: 'Event' } } },
  });
  for (const [portalTerms, field] of [
    [{ event: 'Notification' }, 'portalTerms.event'],
    [{}, 'portalTerms.event'],
    [{ event: 'Event', endpoint: 'Hook' }, 'portalTerms.endpoint'],
    [null, 'portalTerms'],
  ] as const) {
    const refused = await call('patch', '', { portalTerms });
    expect([codeOf(refused), refused.body.error.details[0].field]).toEqual(['validation_error', field]);
  }
  expect((await call('patch', '', { portalTerms: { event: 'Message' } })).body.portalTerms).toEqual({
    event: 'Message',
  });
});

test.each([null, 1, '', 'x'.repeat(201), 'a\u0000b', 'a\nb', '\ud800', ['Acme']])(
  'the name %j is refused',
  async (name) => {
    expect(codeOf(await call('patch', '', { name }))).toBe('validation_error');
  },
);

test('a name of 200 characters is accepted, however many UTF-16 units they are', async () => {
  const name = '😀'.repeat(200);
  expect((await call('patch', '', { name })).body.name).toBe(name);
});

test('a token renames it and rotates its search key while its creator is an owner, or when it was created at the installation', async () => {
  const maker = await seedPerson(api.db, { workspaceId: api.workspaceId, role: 'owner' });
  const made = async (person: { sessionToken: string }) => {
    const base = `/api/workspaces/${api.workspaceId}/management-tokens`;
    const reply = await createCaller(api.app, { base, token: person.sessionToken })('post', '', { name: 'T' });
    return createCaller(api.app, { base: api.base, token: reply.body.token });
  };
  const ofOwner = await made(maker);
  const ofAdmin = await made(await seedPerson(api.db, { workspaceId: api.workspaceId, role: 'admin' }));
  expect((await ofOwner('patch', '', { name: 'By the owner' })).status).toBe(200);
  const refused = await ofAdmin('patch', '', { name: 'By the admin' });
  expect([refused.status, codeOf(refused)]).toEqual([403, 'forbidden']);
  expect((await ofAdmin('get')).body.name).toBe('By the owner');
  const search = { publishIn: [], searchKeys: [{ name: 'id', path: 'id' }] };
  expect((await call('post', '/event-types', { name: 'order.found', ...search })).status).toBe(201);
  expect(codeOf(await ofAdmin('post', '/search-key/rotate'))).toBe('forbidden');
  expect((await ofOwner('post', '/search-key/rotate')).status).toBe(200);
  const where = { userId: uuidOf('usr', maker.userId) };
  await api.db.member.updateMany({ where, data: { role: 'admin' } });
  expect(codeOf(await ofOwner('patch', '', { name: 'No owner any more' }))).toBe('forbidden');
  await api.db.member.deleteMany({ where });
  expect(codeOf(await ofOwner('patch', '', {}))).toBe('forbidden');
  expect((await call('patch', '', { name: 'Acme' })).status).toBe(200);
});

test('only an owner renames it, and a viewer reads it', async () => {
  const base = `/api/workspaces/${api.workspaceId}`;
  for (const [role, expected] of [
    ['viewer', 'forbidden'],
    ['admin', 'forbidden'],
    ['owner', 200],
  ] as const) {
    const { sessionToken } = await seedPerson(api.db, { workspaceId: api.workspaceId, role });
    const as = createCaller(api.app, { base, token: sessionToken });
    expect([(await as('get')).status, codeOf(await as('patch', '', {}))]).toEqual([200, expected]);
  }
});

test('the origins that may frame the portal are stored as given, replaced whole and audited', async () => {
  const portalOrigins = ['https://app.example.com', 'https://xn--bcher-kva.example:8443'];
  const reply = await call('patch', '', { portalOrigins });
  expect([reply.status, reply.body.portalOrigins]).toEqual([200, portalOrigins]);
  const entry = (await entries()).at(-1);
  expect(entry?.metadata).toMatchObject({ changes: { portalOrigins: { from: [], to: portalOrigins } } });
  expect((await call('patch', '', { name: 'Acme' })).body.portalOrigins).toEqual(portalOrigins);
  expect((await call('patch', '', { portalOrigins: [] })).body.portalOrigins).toEqual([]);
});

test.each([
  'http://localhost',
  'http://localhost:5173',
  'http://localhost:*',
  'http://127.0.0.1:5173',
  'http://127.0.0.1:*',
])('the portal origin %s is allowed while BASE_URL is local', async (origin) => {
  const reply = await call('patch', '', { portalOrigins: [origin] });
  expect([reply.status, reply.body.portalOrigins]).toEqual([200, [origin]]);
  expect((await call('patch', '', { portalOrigins: [] })).status).toBe(200);
});

test.each([
  ['http://localhost:80'],
  ['http://localhost:*/'],
  ['http://localhost.example:*'],
  ['http://127.0.0.2'],
  ['https://localhost:*'],
  ['http://app.example.com'],
  ['https://app.example.com/'],
  ['https://app.example.com/portal'],
  ['https://App.example.com'],
  ['https://app.example.com:443'],
  ['https://user@app.example.com'],
  ['https://*.example.com'],
  ["https://a;script-src'unsafe-inline'"],
  ['https://a b'],
  ['null'],
  [7],
])('the portal origin %j is refused', async (origin) => {
  const reply = await call('patch', '', { portalOrigins: [origin] });
  expect([codeOf(reply), reply.body.error.message]).toEqual([
    'validation_error',
    expect.stringContaining('portalOrigins'),
  ]);
});

test('a workspace has at most 20 portal origins', async () => {
  const origins = (count: number) => Array.from({ length: count }, (_, index) => `https://a${index}.example`);
  expect((await call('patch', '', { portalOrigins: origins(20) })).status).toBe(200);
  expect(codeOf(await call('patch', '', { portalOrigins: origins(21) }))).toBe('validation_error');
  expect((await call('patch', '', { portalOrigins: [] })).status).toBe(200);
});
