import { inspect } from 'node:util';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { inTransaction } from '@posthorn/db/transaction';
import { disableEndpoint } from '@posthorn/ledger/disable-endpoint';
import { findFailingEndpoints } from '@posthorn/ledger/failing-endpoints';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, managementCaller } from '../../test/caller.ts';
import { uuidOf } from '../../test/people.ts';
import { lockEndpoint } from './endpoints.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
});

const create = (body: object = {}) => call('post', '/endpoints', { url: 'https://127.0.0.1/', ...body });
const entries = () =>
  api.db.auditEntry.findMany({ where: { workspaceId: uuidOf('ws', workspace.workspaceId) }, orderBy: { id: 'asc' } });

test('while an endpoint is locked for a change, a row that references it is inserted without a wait', async () => {
  const made = (await create()).body;
  const endpointId = uuidOf('ep', made.id);
  const ctx = { workspace: { id: uuidOf('ws', workspace.workspaceId) }, bounds: {} };
  await inTransaction(api.db, async (transaction) => {
    await lockEndpoint(ctx, transaction, made.id);
    // An insert that waited would fail after the 10 s of lock_timeout.
    await api.db.endpointHealth.create({ data: { endpointId, consecutiveFailures: 1 } });
  });
  expect(await api.db.endpointHealth.count({ where: { endpointId } })).toBe(1);
});

test('endpoints are in the order of createdAt, even where the look-up of a name took long', async () => {
  const { vetUrl } = api.services;
  let begin = () => {};
  const isAsked = new Promise<void>((resolve) => (begin = resolve));
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  api.services.vetUrl = async (url) => {
    begin();
    await isAnswered;
    return vetUrl(url);
  };
  const slow = create().then(({ body }) => body);
  await isAsked;
  api.services.vetUrl = vetUrl;
  const fast = (await create()).body;
  expect((await call('get', '/endpoints')).body).toEqual([fast]);
  answer();
  expect((await slow).createdAt > fast.createdAt).toBe(true);
  expect((await call('get', '/endpoints')).body).toEqual([fast, await slow]);
});

describe('updating', () => {
  test('an endpoint that is missing is not found, whatever the url', async () => {
    const reply = await call('patch', `/endpoints/${(await create()).body.id.slice(0, -3)}zzz`, {
      url: 'https://a/#b',
    });
    expect([reply.status, reply.body.error.message]).toEqual([404, 'Endpoint not found']);
  });

  test('a change to the current values, and an empty body, are no-ops without an audit entry', async () => {
    const made = (await create({ description: 'a', config: { headers: { 'x-a': '1' } }, metadata: { b: 2 } })).body;
    const { length } = await entries();
    for (const body of [
      undefined,
      {},
      made,
      { url: made.url, description: 'a', isActive: true, config: made.config, metadata: { b: 2 } },
      { authUsername: null, authPassword: null },
    ]) {
      const reply = await call('patch', `/endpoints/${made.id}`, body);
      expect([reply.status, reply.body]).toEqual([200, made]);
    }
    expect(await entries()).toHaveLength(length);
  });

  test('a no-op during an attempt does not prevent that its answer deactivates the endpoint', async () => {
    const { id } = (await create({ description: 'a' })).body;
    const endpointId = uuidOf('ep', id);
    const { revision } = await api.db.endpoint.findUniqueOrThrow({ where: { id: endpointId } });
    for (const body of [{}, { description: 'a' }, { isActive: true }]) await call('patch', `/endpoints/${id}`, body);
    const entry = { auditEntryId: newUuid(new Date()), publicId: id };
    expect(await disableEndpoint(api.db, { endpointId, revision, reason: 'gone', ...entry })).toBe(true);
    expect((await call('get', `/endpoints/${id}`)).body).toMatchObject({ isActive: false, disabledReason: 'gone' });
  });

  test('a header’s new value is answered and stored, but never shown in the audit log', async () => {
    const made = (await create({ config: { headers: { 'x-key': 'first-secret' }, timeoutSeconds: 5 } })).body;
    const reply = await call('patch', `/endpoints/${made.id}`, { config: { headers: { 'x-key': 'second-secret' } } });
    expect(reply.body.config).toEqual({ headers: { 'x-key': 'second-secret' } });
    expect(reply.body.updatedAt > made.updatedAt).toBe(true);
    expect((await call('get', `/endpoints/${made.id}`)).body).toEqual(reply.body);
    const text = inspect(await entries(), { depth: null });
    expect((await entries()).at(-1)?.action).toBe('endpoint.updated');
    expect(text).not.toContain('first-secret');
    expect(text).not.toContain('second-secret');
  });

  test('credentials are set and cleared together, and the password is never answered or logged', async () => {
    const made = (await create({ authUsername: 'ann', authPassword: 'pass-one' })).body;
    expect([made.authUsername, made.hasAuth]).toEqual(['ann', true]);
    const patch = (body: object) => call('patch', `/endpoints/${made.id}`, body);
    expect((await patch({ authPassword: 'pass-two' })).body).toMatchObject({ authUsername: 'ann', hasAuth: true });
    expect((await patch({ authUsername: 'bob' })).body).toMatchObject({ authUsername: 'bob', hasAuth: true });
    expect((await patch({ authPassword: null })).body).toMatchObject({ authUsername: null, hasAuth: false });
    expect((await patch({ authUsername: 'bob', authPassword: 'x' })).body).toMatchObject({ hasAuth: true });
    expect((await patch({ authUsername: null, authPassword: 'x' })).body).toMatchObject({ hasAuth: false });
    expect(codeOf(await patch({ authUsername: 'ann' }))).toBe('validation_error');
    expect(codeOf(await patch({ authPassword: 'x' }))).toBe('validation_error');
    expect(codeOf(await create({ authUsername: 'ann' }))).toBe('validation_error');
    expect(codeOf(await create({ authUsername: 'a:b', authPassword: 'x' }))).toBe('validation_error');
    const all = inspect([await entries(), (await call('get', '/endpoints')).body], { depth: null });
    expect(all).not.toMatch(/pass-(one|two)/);
  });

  test('credentials stay with their origin: a url of another origin needs them again, or clears them', async () => {
    const made = (await create({ url: 'https://127.0.0.1:8443/a', authUsername: 'ann', authPassword: 'pass-one' }))
      .body;
    const patch = (body: object) => call('patch', `/endpoints/${made.id}`, body);
    const stored = () =>
      api.db.endpoint.findUniqueOrThrow({
        where: { id: uuidOf('ep', made.id) },
        select: { authUsername: true, authPasswordSealed: true },
      });
    expect((await patch({ url: 'https://127.0.0.1:8443/b' })).body).toMatchObject({ hasAuth: true });
    for (const half of [{ authUsername: 'ann' }, { authPassword: 'pass-two' }]) {
      expect(codeOf(await patch({ url: 'https://127.0.0.2:8443/b', ...half }))).toBe('validation_error');
    }
    expect((await patch({})).body).toMatchObject({ url: 'https://127.0.0.1:8443/b', hasAuth: true });
    const moved = await patch({ url: 'https://127.0.0.2/', authUsername: 'ann', authPassword: 'pass-two' });
    expect(moved.body).toMatchObject({ authUsername: 'ann', hasAuth: true });
    for (const url of ['https://127.0.0.2:8443/', 'https://127.0.0.3:8443/']) {
      await patch({ authUsername: 'ann', authPassword: 'pass-three' });
      expect((await patch({ url })).body).toMatchObject({ url, authUsername: null, hasAuth: false });
      expect(await stored()).toEqual({ authUsername: null, authPasswordSealed: null });
    }
    expect((await entries()).at(-1)).toMatchObject({
      metadata: { changes: { authUsername: { from: 'ann', to: null } } },
    });
  });

  test('a url with a port of another protocol is refused', async () => {
    const reply = await create({ url: 'https://127.0.0.1:6379/' });
    expect(reply.body.error).toMatchObject({ code: 'validation_error', message: 'url must not use port 6379' });
    const made = (await create()).body;
    expect(codeOf(await call('patch', `/endpoints/${made.id}`, { url: 'https://127.0.0.1:25/' }))).toBe(
      'validation_error',
    );
  });

  test('deactivating records when and why, activating clears both', async () => {
    const made = (await create()).body;
    const off = (await call('patch', `/endpoints/${made.id}`, { isActive: false })).body;
    expect(off).toMatchObject({ isActive: false, disabledAt: expect.any(String), disabledReason: 'manual' });
    expect((await call('get', '/endpoints?is_active=false')).body).toEqual([off]);
    const on = (await call('patch', `/endpoints/${made.id}`, { isActive: true })).body;
    expect(on).toMatchObject({ isActive: true, disabledAt: null, disabledReason: null });
  });

  test('activating again resets the endpoint’s health', async () => {
    const made = (await create()).body;
    const endpointId = uuidOf('ep', made.id);
    await api.db.endpointHealth.create({ data: { endpointId, consecutiveFailures: 30, failingSince: new Date(0) } });
    const off = (await call('patch', `/endpoints/${made.id}`, { isActive: false })).body;
    expect(off.health).toBe('failing');
    const on = (await call('patch', `/endpoints/${made.id}`, { isActive: true })).body;
    expect(on.health).toBe('healthy');
  });

  test.each<[string, object, string]>([
    ['another url resets', { url: 'https://127.0.0.1/repaired' }, 'healthy'],
    ['other credentials reset', { authUsername: 'user', authPassword: 'new' }, 'healthy'],
    ['another secret header resets', { secretHeaders: { 'x-api-key': 'new' } }, 'healthy'],
    ['the same url does not reset', { url: 'https://127.0.0.1/', description: 'b' }, 'failing'],
    ['another description does not reset', { description: 'b' }, 'failing'],
  ])('%s the endpoint’s health, from which it could be deactivated as failing', async (_case, change, health) => {
    const made = (await create()).body;
    const endpointId = uuidOf('ep', made.id);
    const [failingSince, lastFailureAt] = [new Date(0), new Date()];
    await api.db.endpointHealth.create({
      data: { endpointId, consecutiveFailures: 30, failingSince, lastFailureAt, openUntil: new Date(0) },
    });
    const changed = await call('patch', `/endpoints/${made.id}`, change);
    expect([changed.status, changed.body.health]).toEqual([200, health]);
    const isFailing = (await findFailingEndpoints(api.db)).some((one) => one.endpointId === endpointId);
    expect(isFailing).toBe(health === 'failing');
  });

  test('of many changes at once none is lost or half made', async () => {
    const made = (await create()).body;
    const replies = await Promise.all(
      // Few enough that a slow machine makes them all within the 5 s for which a change waits for its turn.
      Array.from({ length: 20 }, (_, n) => call('patch', `/endpoints/${made.id}`, { metadata: { n } })),
    );
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    const row = (await call('get', `/endpoints/${made.id}`)).body;
    expect(replies.map(({ body }) => body.metadata.n)).toContain(row.metadata.n);
    expect((await entries()).filter(({ action }) => action === 'endpoint.updated')).toHaveLength(20);
  });
});

describe('values', () => {
  /** 20 KB. */
  const largeHeaders = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-${n}`, 'v'.repeat(1_000)]));
  test.each<[string, object]>([
    ['a null description', { description: null }],
    ['a description of 1,001', { description: 'x'.repeat(1_001) }],
    ['a control character', { description: 'a\u0001' }],
    ['a lone surrogate', { description: '\udc00' }],
    ['an unknown type', { type: 'email' }],
    ['a null type', { type: null }],
    ['config that is null', { config: null }],
    ['config that is a list', { config: [] }],
    ['config over 32 KiB', { config: { headers: largeHeaders, tls: { ca: 'x'.repeat(16_000) } } }],
    ['an unknown ordering', { config: { ordering: 'lifo' } }],
    ['a timeout of 31', { config: { timeoutSeconds: 31 } }],
    ['21 headers', { config: { headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, 'a'])) } }],
    ['a header that is the service’s own', { config: { headers: { 'Webhook-Id': 'a' } } }],
    ['a header value with a line break', { config: { headers: { 'x-a': 'a\r\nb: c' } } }],
    ['metadata of six', { metadata: { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 } }],
    ['metadata in metadata', { metadata: { a: {} } }],
    ['metadata null at creation', { metadata: null }],
    ['an environment of no character', { environmentId: '' }],
    ['an environment that is a number', { environmentId: 1 }],
    ['a bad secret', { secret: 'whsec_short' }],
    ['an address of the network', { url: 'https://10.0.0.1/' }],
    ['a user in the url', { url: 'https://ann@127.0.0.1/' }],
    ['a fragment', { url: 'https://127.0.0.1/#a' }],
    ['a url of 2,049', { url: `https://127.0.0.1/${'x'.repeat(2_031)}` }],
    ['plain http', { url: 'http://127.0.0.1/' }],
    ['no url at all', { url: 'nonsense' }],
    ['a url that is a list', { url: ['https://127.0.0.1/'] }],
  ])('%s is refused', async (_, body) => {
    const reply = await create(body);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'validation_error']);
  });

  test('unusual but allowed values are kept exactly', async () => {
    const body = {
      description: '😀'.repeat(1_000),
      config: { headers: { 'X-Own': '~' }, timeoutSeconds: 30 },
      metadata: { text: 'a\u0000b\n', number: -1.5e-7, flag: false, none: null, constructor: 'x' },
    };
    const made = await create(body);
    expect([made.status, made.body]).toEqual([201, expect.objectContaining(body)]);
    expect((await call('get', `/endpoints/${made.body.id}`)).body).toEqual(made.body);
    expect((await call('patch', `/endpoints/${made.body.id}`, { metadata: null })).body.metadata).toEqual({});
    expect((await call('patch', `/endpoints/${made.body.id}`, { config: {} })).body.config).toEqual({});
  });

  test.each([
    ['4,000 levels of config', `{"url":"https://127.0.0.1/","config":{"a":${'['.repeat(4_000)}${']'.repeat(4_000)}}}`],
    [
      '100,000 levels of config',
      `{"url":"https://127.0.0.1/","config":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    ],
    ['100,000 levels of body', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    [
      '100,000 levels of metadata',
      `{"url":"https://127.0.0.1/","metadata":{"a":${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}}}`,
    ],
    ['a number beyond all numbers', '{"url":"https://127.0.0.1/","metadata":{"a":1e400}}'],
    ['the same in config', '{"url":"https://127.0.0.1/","config":{"a":1e400}}'],
    ['__proto__ in metadata', '{"url":"https://127.0.0.1/","metadata":{"__proto__":"a"}}'],
    ['__proto__ in config', '{"url":"https://127.0.0.1/","config":{"__proto__":{"polluted":true}}}'],
    ['__proto__ with an escaped letter', '{"url":"https://127.0.0.1/","metadata":{"__prot\\u006f__":"a"}}'],
    ['a number of many digits and an exponent', `{"url":"https://127.0.0.1/","config":{"a":${'1'.repeat(299)}e99}}`],
    ['__proto__ as a header', '{"url":"https://127.0.0.1/","config":{"headers":{"__proto__":"a"}}}'],
    ['__proto__ as the body', '{"__proto__":{"url":"https://127.0.0.1/"}}'],
    ['a body that is a string', '"https://127.0.0.1/"'],
    ['a body that is null', 'null'],
    ['a body that is no JSON', '{"url":'],
    ['a body with a raw NUL', '{"url":"https://127.0.0.1/\u0000"}'],
  ])('%s is answered, and is never an internal error', async (_, body) => {
    const reply = await call('post', '/endpoints', body);
    expect([201, 400]).toContain(reply.status);
    if (reply.status === 201) expect((await call('get', `/endpoints/${reply.body.id}`)).body).toEqual(reply.body);
    else expect(codeOf(reply)).toBe('validation_error');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('filters', () => {
  test('an environment, application or event type that does not exist is not found, however long or unusual the id', async () => {
    for (const odd of ['env_x', 'ep_', '%00', '%2f', '%F0%9F%98%80', 'x'.repeat(10_000), api.environmentId]) {
      const environment = await call('get', `/endpoints?environment_id=${odd}`);
      expect(environment.body.error).toEqual({ code: 'not_found', message: 'Environment not found' });
      const application = await call('get', `/endpoints?application_id=${odd}`);
      expect(application.body.error).toEqual({ code: 'not_found', message: 'Application not found' });
      const eventType = await call('get', `/endpoints?event_type_id=${odd}`);
      expect(eventType.body.error).toEqual({ code: 'not_found', message: 'Event type not found' });
    }
    for (const query of ['environment_id=', 'is_active=yes', 'environment_id=a&environment_id=b']) {
      expect(codeOf(await call('get', `/endpoints?${query}`))).toBe('validation_error');
    }
  });

  test('in a path, unusual ids are missing resources and broken escapes unknown routes', async () => {
    for (const odd of ['%00', 'a%2fb', 'x'.repeat(10_000), 'ep_%00', '..', 'null']) {
      expect(codeOf(await call('get', `/endpoints/${odd}`))).toBe('not_found');
    }
    for (const odd of ['%ff', '%', '%zz']) expect(codeOf(await call('get', `/endpoints/${odd}`))).toBe('not_found');
  });

  test('the filters narrow one another', async () => {
    const type = (await call('post', '/event-types', { name: 'a.b' })).body;
    const [first, second] = [(await create()).body, (await create()).body];
    await call('post', `/endpoints/${second.id}/subscriptions`, { eventTypeIds: [type.id] });
    expect((await call('get', '/endpoints')).body).toEqual([first, second]);
    expect((await call('get', `/endpoints?event_type_id=${type.id}`)).body).toEqual([second]);
    expect((await call('get', `/endpoints?event_type_id=${type.id}&is_active=false`)).body).toEqual([]);
    await call('delete', `/endpoints/${second.id}`);
    expect((await call('get', '/endpoints')).body).toEqual([first]);
  });
});
