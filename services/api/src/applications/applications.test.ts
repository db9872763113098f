import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { ALL_TYPES } from '@posthorn/stats/rows';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, tally } from '../../test/caller.ts';
import { seedPortal, uuidOf } from '../../test/people.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = callerOf(workspace);
});

const callerOf = ({ workspaceId, managementToken: token }: SeededWorkspace) =>
  createCaller(api.app, { base: `/management/v1/workspaces/${workspaceId}`, token });
const create = async (body: object) => (await call('post', '/applications', { name: 'Customer', ...body })).body;
const createEndpoint = (reference: string, body: object = {}) =>
  call('post', `/applications/${reference}/endpoints`, { url: 'https://127.0.0.1/', ...body });
const entries = () =>
  api.db.auditEntry.findMany({ where: { workspaceId: uuidOf('ws', workspace.workspaceId) }, orderBy: { id: 'asc' } });

describe('an application', () => {
  test('is answered completely, with null and {} for missing fields', async () => {
    const reply = await call('post', '/applications', { name: 'Customer' });
    expect([reply.status, reply.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^app_/),
        externalId: null,
        name: 'Customer',
        metadata: {},
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
    ]);
    expect((await call('get', `/applications/${reply.body.id}`)).body).toEqual(reply.body);
  });

  test('is found by ext: and its externalId, for any visible ASCII', async () => {
    for (const externalId of ['a', 'x'.repeat(255), 'a/b?c#d%2f', 'ext:app_1', '../..', "'--"]) {
      const made = await create({ externalId });
      const reference = `ext:${encodeURIComponent(externalId)}`;
      expect((await call('get', `/applications/${reference}`)).body).toEqual(made);
      const endpoint = await createEndpoint(reference);
      expect([endpoint.status, endpoint.body.applicationId]).toEqual([201, made.id]);
      expect((await call('get', `/applications/${reference}/endpoints`)).body).toEqual([endpoint.body]);
      const filtered = await call('get', `/endpoints?application_id=${reference}`);
      expect(filtered.body).toEqual([endpoint.body]);
    }
  });

  test.each([
    'ext:',
    'ext:%00',
    'ext:nobody',
    'ext:%F0%9F%98%80',
    'ext:a%20b',
    `ext:${'x'.repeat(256)}`,
    'app_',
    'x'.repeat(10_000),
  ])('a reference to a missing application is not found: %s', async (reference) => {
    for (const path of [`/applications/${reference}`, `/applications/${reference}/endpoints`]) {
      const reply = await call('get', path);
      expect([reply.status, reply.body.error]).toEqual([404, APPLICATION_NOT_FOUND]);
    }
    const filtered = await call('get', `/endpoints?application_id=${reference}`);
    expect([filtered.status, filtered.body.error]).toEqual([404, APPLICATION_NOT_FOUND]);
    expect((await createEndpoint(reference)).body.error).toEqual(APPLICATION_NOT_FOUND);
    expect((await call('delete', `/applications/${reference}`)).status).toBe(404);
    expect((await call('patch', `/applications/${reference}`, {})).status).toBe(404);
  });

  test.each<[string, object]>([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a name with a control character', { name: 'a\u0007' }],
    ['a null name', { name: null }],
    ['an externalId with a space', { name: 'a', externalId: 'a b' }],
    ['an externalId that is empty', { name: 'a', externalId: '' }],
    ['an externalId of 256', { name: 'a', externalId: 'x'.repeat(256) }],
    ['an externalId beyond ASCII', { name: 'a', externalId: 'é' }],
    ['six metadata pairs', { name: 'a', metadata: { a: '', b: '', c: '', d: '', e: '', f: '' } }],
    ['a metadata value that is a number', { name: 'a', metadata: { a: 1 } }],
    ['a metadata value of 501', { name: 'a', metadata: { a: 'x'.repeat(501) } }],
    ['a metadata key of 41', { name: 'a', metadata: { ['x'.repeat(41)]: 'a' } }],
    ['an empty metadata key', { name: 'a', metadata: { '': 'a' } }],
    ['metadata that is a list', { name: 'a', metadata: ['a'] }],
    ['metadata that is null', { name: 'a', metadata: null }],
  ])('%s is refused', async (_, body) => {
    expect(codeOf(await call('post', '/applications', body))).toBe('validation_error');
  });

  test('unusual metadata is kept unchanged or refused, and is never an internal error', async () => {
    const metadata = { constructor: 'a', toString: 'b\u0000', '%s': '😀'.repeat(500), "';--": '\ud800', x: '' };
    const made = await create({ metadata });
    expect(made.metadata).toEqual(metadata);
    expect((await call('get', `/applications/${made.id}`)).body.metadata).toEqual(metadata);
    const proto = await call('post', '/applications', '{"name":"a","metadata":{"__proto__":{"polluted":true}}}');
    expect([201, 400]).toContain(proto.status);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('updating', () => {
  test('each field changes by itself, null clears, and no-ops leave no audit entry', async () => {
    const made = await create({ externalId: 'one', metadata: { a: '1' } });
    const path = `/applications/${made.id}`;
    const { length } = await entries();
    for (const body of [undefined, {}, { name: 'Customer', externalId: 'one', metadata: { a: '1' } }]) {
      expect((await call('patch', path, body)).body).toEqual(made);
    }
    expect(await entries()).toHaveLength(length);
    const steps: [object, object][] = [
      [{ name: 'New' }, { name: 'New' }],
      [{ externalId: 'two' }, { externalId: 'two' }],
      [{ metadata: { b: '2' } }, { metadata: { b: '2' } }],
      [{ metadata: null }, { metadata: {} }],
      [{ externalId: null }, { externalId: null }],
    ];
    let expected = made;
    for (const [body, change] of steps) {
      const reply = await call('patch', path, body);
      expected = { ...expected, ...change, updatedAt: reply.body.updatedAt };
      expect([reply.status, reply.body]).toEqual([200, expected]);
    }
    expect((await entries()).slice(length).map(({ action }) => action)).toEqual(Array(5).fill('application.updated'));
    expect((await call('get', '/applications/ext:one')).status).toBe(404);
  });

  test('a taken externalId is refused; one of a deleted application or another workspace is free', async () => {
    const [one, two] = [await create({ externalId: 'one' }), await create({})];
    expect(codeOf(await call('post', '/applications', { name: 'a', externalId: 'one' }))).toBe('external_id_taken');
    expect(codeOf(await call('patch', `/applications/${two.id}`, { externalId: 'one' }))).toBe('external_id_taken');
    const other = callerOf(await api.seedAnother());
    expect((await other('post', '/applications', { name: 'a', externalId: 'one' })).status).toBe(201);
    await call('delete', `/applications/${one.id}`);
    expect((await call('patch', `/applications/${two.id}`, { externalId: 'one' })).body.externalId).toBe('one');
  });

  test('of 20 concurrent requests with one externalId one succeeds', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => call('post', '/applications', { name: 'a', externalId: 'same' })),
    );
    expect(tally(replies.map(codeOf))).toEqual({ 201: 1, external_id_taken: 19 });
  });
});

describe('listing', () => {
  test('the pages together hold every application once, newest first', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift((await create({ name: `Customer ${n}` })).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await call('get', `/applications?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(Object.keys(page.body)).toEqual(['applications', 'nextCursor']);
      seen.push(...page.body.applications.map((one: { id: string }) => one.id));
      cursor = page.body.nextCursor;
    }
    expect(seen).toEqual(made);
  });

  test('a page reads no deleted application, however many there are', async () => {
    const workspaceId = uuidOf('ws', workspace.workspaceId);
    await create({ name: 'Oldest' });
    await api.db.$executeRaw`
      insert into application (id, workspace_id, name, deleted_at)
      select ('f' || substr(gen_random_uuid()::text, 2))::uuid, ${workspaceId}::uuid, 'Deleted', now()
      from generate_series(1, 20000)`;
    await api.db.$executeRaw`analyze application`;
    const [plan] = await api.db.$queryRaw<{ 'QUERY PLAN': object }[]>`
      explain (analyze, format json) select id, name from application
      where workspace_id = ${workspaceId}::uuid and deleted_at is null order by id desc limit 51`;
    const text = JSON.stringify(plan);
    expect(text).toContain('application_live_idx');
    expect(text).not.toMatch(/"Rows Removed by Filter":[1-9]/);
    expect((await call('get', '/applications')).body.applications).toHaveLength(1);
  });

  test('a cursor is valid only for its own filters and workspace', async () => {
    for (let n = 0; n < 3; n += 1) await create({ name: 'Same' });
    const { nextCursor } = (await call('get', '/applications?limit=1&search=same')).body;
    expect((await call('get', `/applications?search=same&cursor=${nextCursor}`)).body.applications).toHaveLength(2);
    for (const path of [
      `/applications?cursor=${nextCursor}`,
      `/applications?search=other&cursor=${nextCursor}`,
      `/deliveries?cursor=${nextCursor}`,
      `/applications?search=same&cursor=${nextCursor}x`,
      '/applications?cursor=',
    ]) {
      expect(codeOf(await call('get', path))).toBe('invalid_cursor');
    }
    const other = callerOf(await api.seedAnother());
    expect(codeOf(await other('get', `/applications?search=same&cursor=${nextCursor}`))).toBe('invalid_cursor');
  });

  test.each([
    ['search=glob', ['globex']],
    ['search=EX-1', ['acme']],
    ['search=100%25', ['percent']],
    ['search=_', ['under']],
    ['search=%5C', ['back']],
    ['search=nothing', []],
    ['external_id=ex-1', ['acme']],
    ['external_id=ex-', []],
    ['external_id=ex-1&search=globex', []],
  ])('%s finds %j', async (query, expected) => {
    const made: Record<string, string> = {};
    for (const [key, body] of Object.entries(CUSTOMERS)) made[(await create(body)).id] = key;
    const page = (await call('get', `/applications?${query}`)).body;
    expect(page.applications.map((one: { id: string }) => made[one.id])).toEqual(expected);
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=1e1',
    'search=',
    'search=%00',
    'external_id=',
    'limit=1&limit=2',
  ])('%s is refused', async (query) => {
    expect(codeOf(await call('get', `/applications?${query}`))).toBe('validation_error');
  });
});

describe('deleting', () => {
  test('its endpoints, their subscriptions and its portal sessions end at once, in one audit entry', async () => {
    const made = await create({ externalId: 'one' });
    const type = (await call('post', '/event-types', { name: 'a.b' })).body;
    const endpoint = (await createEndpoint(made.id)).body;
    await call('post', `/endpoints/${endpoint.id}/subscriptions`, { eventTypeIds: [type.id] });
    const kept = (await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body;
    const portal = await seedPortal(api.db, { ...workspace, applicationId: made.id });
    const { length } = await entries();
    const reply = await call('delete', '/applications/ext:one');
    expect([reply.status, reply.text]).toEqual([204, '']);
    for (const path of [`/applications/${made.id}`, '/applications/ext:one', `/endpoints/${endpoint.id}`]) {
      expect((await call('get', path)).status).toBe(404);
    }
    expect((await call('get', '/applications')).body).toEqual({ applications: [], nextCursor: null });
    expect((await call('get', '/endpoints')).body).toEqual([kept]);
    const session = request(api.app).get('/api/portal/session').set('authorization', `Bearer ${portal.portalToken}`);
    expect((await session).status).toBe(401);
    expect((await call('delete', `/event-types/${type.id}`)).status).toBe(204);
    const [entry] = (await entries()).slice(length);
    expect([entry?.action, entry?.resourceId]).toEqual(['application.deleted', made.id]);
    expect(entry?.metadata).toMatchObject({
      changes: {
        endpoints: { from: [endpoint.id], to: [] },
        subscriptions: { from: 1, to: 0 },
        portalSessions: { from: 1, to: 0 },
      },
    });
    expect((await call('delete', `/applications/${made.id}`)).status).toBe(404);
  });

  test('an endpoint created at the same moment is either refused or deleted with it', async () => {
    const made = await create({});
    const replies = await Promise.all([
      ...Array.from({ length: 8 }, () => createEndpoint(made.id)),
      call('delete', `/applications/${made.id}`),
    ]);
    expect(replies.every(({ status }) => [201, 204, 404].includes(status))).toBe(true);
    expect((await call('get', '/endpoints')).body).toEqual([]);
  });
});

describe('its endpoints', () => {
  test('are in the default environment or the named one, and can be listed by it', async () => {
    const made = await create({});
    const staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body;
    const first = (await createEndpoint(made.id)).body;
    const second = (await createEndpoint(made.id, { environmentId: staging.id, description: 'Second' })).body;
    await call('post', '/endpoints', { url: 'https://127.0.0.1/' });
    expect([first.environmentId, second.environmentId]).toEqual([workspace.environmentId, staging.id]);
    const list = `/applications/${made.id}/endpoints`;
    expect((await call('get', list)).body).toEqual([first, second]);
    expect((await call('get', `${list}?environment_id=${staging.id}`)).body).toEqual([second]);
    expect((await call('get', `${list}?environment_id=env_x`)).body.error.message).toBe('Environment not found');
    const neither = await call('get', '/applications/app_x/endpoints?environment_id=env_x');
    expect(neither.body.error.message).toBe('Application not found');
    expect((await createEndpoint(made.id, { environmentId: 'env_x' })).body.error.message).toBe(
      'Environment not found',
    );
    expect(codeOf(await createEndpoint(made.id, { environmentId: '' }))).toBe('validation_error');
    expect((await createEndpoint(made.id, { url: 'http://127.0.0.1/' })).body.error.message).toBe(
      'Webhook URL must use HTTPS',
    );
    expect((await createEndpoint(made.id, { url: undefined })).body.error.message).toBe('url is required');
    expect((await call('get', `/endpoints?application_id=${made.id}&environment_id=${staging.id}`)).body).toEqual([
      second,
    ]);
  });

  test('of many at once none exceeds 500, and a deleted one makes room', async () => {
    const made = await create({});
    const ids = { applicationId: uuidOf('app', made.id), workspaceId: uuidOf('ws', workspace.workspaceId) };
    const environmentId = uuidOf('env', workspace.environmentId);
    const rows = Array.from({ length: 497 }, () => ({
      id: newUuid(new Date()),
      url: 'https://127.0.0.1/',
      environmentId,
      ...ids,
    }));
    await api.db.endpoint.createMany({ data: rows });
    const replies = await Promise.all(Array.from({ length: 10 }, () => createEndpoint(made.id)));
    expect(tally(replies.map(codeOf))).toEqual({ 201: 3, limit_reached: 7 });
    await call('delete', `/endpoints/${replies.find(({ status }) => status === 201)?.body.id}`);
    expect((await createEndpoint(made.id)).status).toBe(201);
  });
});

test('on the free plan applications are refused, and no answer reveals which exist', async () => {
  const free = callerOf(await api.seedAnother({ plan: 'free' }));
  for (const [method, path] of [
    ['get', '/applications'],
    ['post', '/applications'],
    ['get', '/applications/app_x'],
    ['patch', '/applications/app_x'],
    ['delete', '/applications/app_x'],
    ['get', '/applications/app_x/endpoints'],
    ['post', '/applications/app_x/endpoints'],
  ] as const) {
    const reply = await free(method, path);
    expect([reply.status, codeOf(reply)]).toEqual([403, 'plan_required']);
  }
});

const APPLICATION_NOT_FOUND = { code: 'not_found', message: 'Application not found' };
const CUSTOMERS = {
  globex: { name: 'Globex' },
  acme: { name: 'Acme', externalId: 'ex-1' },
  percent: { name: '100% Co' },
  under: { name: 'a_b' },
  back: { name: 'a\\b' },
};

describe('how customers are', () => {
  const list = (query: string) => call('get', `/applications?include=health&${query}`).then(({ body }) => body);
  type Listed = { applications: { name: string; health: object }[]; nextCursor: string | null };
  const namesOf = ({ applications }: Listed) => applications.map(({ name }) => name);
  /** A customer whose endpoints have these rows of health; null is for none. */
  const seed = async (name: string, rows: readonly (object | null)[], more: object = {}) => {
    const { id } = await create({ name });
    for (const row of rows) {
      const endpoint = (await createEndpoint(id, more)).body;
      const endpointId = uuidOf('ep', endpoint.id);
      if (row !== null) await api.db.endpointHealth.create({ data: { endpointId, consecutiveFailures: 0, ...row } });
    }
    return id;
  };
  const FAILING = { openUntil: new Date() };
  const IN_WINDOW = { windowStartedAt: new Date(), windowAttempts: 10, windowFailures: 5 };
  const LONG_AGO = { ...IN_WINDOW, windowStartedAt: new Date(Date.now() - 600_000) };

  test('the list counts the endpoints of each, the failing and degraded ones, and what was given up, with the time of the last event', async () => {
    const id = await seed('Busy', [
      FAILING,
      { consecutiveFailures: 10 },
      { consecutiveFailures: 1 },
      IN_WINDOW,
      LONG_AGO,
      null,
    ]);
    await seed('Calm', [null]);
    await seed('New', []);
    const [endpoint] = (await call('get', `/applications/${id}/endpoints`)).body;
    const subject = { subjectId: uuidOf('ep', endpoint.id), environmentId: uuidOf('env', endpoint.environmentId) };
    const at = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
    const ended = { ...subject, isHour: true, eventType: ALL_TYPES, endedFailed: 2, deadLettered: 3 };
    await api.db.stat.create({ data: { ...ended, at } });
    await call('post', '/event-types', { name: 'order.paid', publishIn: [endpoint.environmentId] });
    const event = await call('post', '/events', { eventType: 'order.paid', applicationId: id, data: 1 });
    expect(event.status).toBe(202);
    const healthy = { failing: 0, degraded: 0, undelivered: 0, lastEventAt: null };
    expect(
      (await list('')).applications.map(({ name, health }: Listed['applications'][number]) => [name, health]),
    ).toEqual([
      ['New', { ...healthy, endpoints: 0 }],
      ['Calm', { ...healthy, endpoints: 1 }],
      ['Busy', { endpoints: 6, failing: 2, degraded: 2, undelivered: 5, lastEventAt: expect.stringMatching(/Z$/) }],
    ]);
    const health = (await call('get', `/applications/${id}/endpoints`)).body.map(
      (one: { health: string }) => one.health,
    );
    expect(health).toEqual(['failing', 'failing', 'degraded', 'degraded', 'healthy', 'healthy']);
    expect((await call('get', '/applications')).body.applications[0]).not.toHaveProperty('health');
  });

  test('sorted by trouble, pages of one application have each once, and those of one environment count alone', async () => {
    const staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
    await seed('fine', [null]);
    await seed('one failing', [FAILING]);
    await seed('degraded', [{ consecutiveFailures: 1 }, IN_WINDOW]);
    await seed('two failing', [FAILING, FAILING]);
    await seed('inactive', [FAILING], { isActive: false });
    await seed('fails in staging', [FAILING, FAILING, FAILING], { environmentId: staging });
    const order = ['fails in staging', 'two failing', 'one failing', 'degraded', 'inactive', 'fine'];
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Listed = await list(`sort=trouble&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...namesOf(page));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(order);
    expect(namesOf(await list(`sort=trouble&environment_id=${staging}`))[0]).toBe('fails in staging');
    const production = namesOf(await list(`sort=trouble&environment_id=${workspace.environmentId}`));
    expect(production.slice(0, 3)).toEqual(['two failing', 'one failing', 'degraded']);
    expect(namesOf(await list('sort=trouble&search=FAIL'))).toEqual(['fails in staging', 'two failing', 'one failing']);
    const { nextCursor } = await list('sort=trouble&limit=1');
    expect(codeOf(await call('get', `/applications?cursor=${nextCursor}`))).toBe('invalid_cursor');
  });
});
