import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, type Service, startService, unique } from './service.ts';

const UNKNOWN = 'ep_01jczhk8m3fd8tqv5x0w2b9n4e';
const UNKNOWN_ENVIRONMENT = 'env_01jczhk8m3fd8tqv5x0w2b9n4e';
const URL = 'https://127.0.0.1/';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('docs/interface.md, Endpoint: has its fields; the secret is in responses, the password never', async () => {
  const { manage, environmentId } = service.workspace;
  const bare = await manage('POST', '/endpoints', { url: 'https://127.0.0.1:8443/hook?a=b' });
  expect([bare.status, bare.body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^ep_[0-9a-z]{26}$/),
      environmentId,
      applicationId: null,
      promotedFrom: null,
      externalId: null,
      eventTypePatterns: [],
      url: 'https://127.0.0.1:8443/hook?a=b',
      target: 'https://127.0.0.1:8443/hook?a=b',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]+=*$/),
      description: '',
      authUsername: null,
      publicKey: null,
      pull: null,
      secretHeaderNames: [],
      credentialNames: [],
      hasAuth: false,
      isActive: true,
      disabledAt: null,
      disabledReason: null,
      health: 'healthy',
      type: 'webhook',
      config: {},
      metadata: {},
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/\.\d{3}Z$/),
    },
  ]);
  const full = await manage('POST', '/endpoints', {
    ...{ url: URL, description: 'D', authUsername: 'ada', authPassword: 'pass-canary', type: 'webhook' },
    ...{ config: { timeoutSeconds: 5 }, metadata: { a: 'x', b: 1, c: true, d: null }, environmentId },
  });
  expect(full.body).toMatchObject({
    ...{ description: 'D', authUsername: 'ada', hasAuth: true, type: 'webhook' },
    ...{ config: { timeoutSeconds: 5 }, metadata: { a: 'x', b: 1, c: true, d: null } },
  });
  const got = await manage('GET', `/endpoints/${full.body.id}`);
  expect([got.status, got.body]).toEqual([200, full.body]);
  expect(full.text + got.text + (await manage('GET', '/endpoints')).text).not.toMatch(/pass-canary|authPassword/);
});

test('docs/interface.md, Endpoint types: describes each type, and what its form asks for', async () => {
  const { manage } = service.workspace;
  const { status, body } = await manage('GET', '/endpoint-types');
  const types = body as { type: string }[];
  const words = ['label', 'description', 'setup', 'delivered', 'ordering', 'deduplication'];
  const defaults = {
    timeoutSeconds: 15,
    retrySchedule: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  };
  const described = {
    ...Object.fromEntries(words.map((word) => [word, expect.stringMatching(/\S/)])),
    defaults,
  };
  expect(status).toBe(200);
  const brokersAndStores = ['rabbitmq', 'kafka', 'nats', 'sqs', 'sns', 'kinesis', 'eventbridge', 's3', 'pubsub'].map(
    (type) => ({
      ...{ type, ...described, hasUrl: false, maxBytes: 262_144, configKey: 'destination' },
      configSchema: expect.objectContaining({ additionalProperties: false, required: expect.any(Array) }),
      credentialsSchema: expect.objectContaining({ additionalProperties: false }),
    }),
  );
  expect(types).toEqual([
    {
      ...{ type: 'webhook', ...described, hasUrl: true, maxBytes: 262_144 },
      ...{ configKey: null, configSchema: null },
      credentialsSchema: expect.objectContaining({
        properties: {
          oauth2ClientSecret: expect.objectContaining({ writeOnly: true }),
          oauth2PrivateKey: expect.objectContaining({ writeOnly: true }),
          tlsClientKey: expect.objectContaining({ writeOnly: true }),
        },
      }),
    },
    {
      ...{ type: 'playground', ...described, hasUrl: false, maxBytes: 262_144 },
      ...{ configKey: 'playground', credentialsSchema: null },
      configSchema: expect.objectContaining({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        properties: expect.objectContaining({
          delayMs: expect.objectContaining({
            type: 'integer',
            minimum: 0,
            maximum: 10_000,
            description: expect.any(String),
          }),
        }),
      }),
    },
    {
      ...{ type: 'pull', ...described, hasUrl: false, maxBytes: 262_144 },
      ...{ configKey: null, configSchema: null, credentialsSchema: null },
    },
    ...brokersAndStores,
  ]);
  const created = await manage('POST', '/endpoints', { type: 'playground' });
  expect(created.body).toMatchObject({ type: 'playground', target: 'playground' });
});

describe('docs/interface.md, Endpoint: create refuses', () => {
  const large = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-${n}`, 'v'.repeat(1_000)]));
  const pairs = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`k${n}`, 'v']));
  test.each<[string, object]>([
    ['a missing url', {}],
    ['an http url', { url: 'http://127.0.0.1/' }],
    ['another scheme', { url: 'ftp://127.0.0.1/' }],
    ['no URI', { url: 'nonsense' }],
    ['userinfo', { url: 'https://a:b@127.0.0.1/' }],
    ['a fragment', { url: 'https://127.0.0.1/#a' }],
    ['a url of 2,049 characters', { url: `https://127.0.0.1/${'x'.repeat(2_031)}` }],
    ['a private address', { url: 'https://10.0.0.1/' }],
    ['a private address in another spelling', { url: 'https://0xa9fea9fe/' }],
    ['a null description', { url: URL, description: null }],
    ['6 metadata keys', { url: URL, metadata: pairs }],
    ['a nested metadata value', { url: URL, metadata: { a: {} } }],
    ['a username alone', { url: URL, authUsername: 'a' }],
    ['a password alone', { url: URL, authPassword: 'a' }],
    ['a colon in the username', { url: URL, authUsername: 'a:b', authPassword: 'c' }],
    ['another type', { url: URL, type: 'email' }],
    ['a config that is no object', { url: URL, config: [] }],
    ['an empty environmentId', { url: URL, environmentId: '' }],
    ['a header that is owned', { url: URL, config: { headers: { 'Webhook-Id': 'a' } } }],
    ['a header with a line break', { url: URL, config: { headers: { 'x-a': 'a\r\nb: c' } } }],
    ['a timeout of 31 s', { url: URL, config: { timeoutSeconds: 31 } }],
    ['an unknown field', { url: URL, active: true }],
    ['an unknown key of a config', { url: URL, config: { timeout: 5 } }],
    ['a config over 32 KiB', { url: URL, config: { headers: large, tls: { ca: 'x'.repeat(16_000) } } }],
    ['a secret of another shape', { url: URL, secret: 'secret' }],
  ])('%s', async (_, body) => {
    const { manage } = await service.workspace;
    const before = (await manage('GET', '/endpoints')).body.length;
    const reply = await manage('POST', '/endpoints', body);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'validation_error']);
    expect((await manage('GET', '/endpoints')).body).toHaveLength(before);
  });
});

test('docs/interface.md, Errors: a URL that is not HTTPS and a missing one are told in the words of the interface', async () => {
  const { manage, make } = service.workspace;
  const id = await make('/endpoints', { url: URL });
  for (const reply of [
    await manage('POST', '/endpoints', { url: 'http://127.0.0.1/' }),
    await manage('PATCH', `/endpoints/${id}`, { url: 'http://127.0.0.1/' }),
  ]) {
    expect(reply.body).toMatchObject({ error: { code: 'validation_error', message: 'Webhook URL must use HTTPS' } });
  }
  const missing = await manage('POST', '/endpoints', { description: 'x' });
  expect(missing.body).toMatchObject({ error: { code: 'validation_error', message: 'url is required' } });
});

test('docs/interface.md, Endpoint: listed for the workspace, or for one environment; an unknown one is not_found', async () => {
  const { manage, make } = await service.another();
  const staging = await make('/environments', { name: 'S', slug: 's' });
  const here = await make('/endpoints', { url: URL });
  const there = await make('/endpoints', { url: URL, environmentId: staging });
  const listed = async (query: string) =>
    (await manage('GET', `/endpoints${query}`)).body.map((one: { id: string }) => one.id).sort();
  expect(await listed('')).toEqual([here, there].sort());
  expect(await listed(`?environment_id=${staging}`)).toEqual([there]);
  for (const unknown of [UNKNOWN_ENVIRONMENT, 'env_x', here, '%00']) {
    const reply = await manage('GET', `/endpoints?environment_id=${unknown}`);
    expect([unknown, reply.status, reply.body]).toEqual([
      unknown,
      404,
      { error: { code: 'not_found', message: 'Environment not found' } },
    ]);
  }
});

test('docs/interface.md, Endpoint: every field of an update is optional, and changes that field alone', async () => {
  const { manage, make } = service.workspace;
  const id = await make('/endpoints', {
    url: URL,
    description: 'A',
    metadata: { a: 'b' },
    config: { timeoutSeconds: 3 },
  });
  const read = async () => (await manage('GET', `/endpoints/${id}`)).body;
  let known = await read();
  expect((await manage('PATCH', `/endpoints/${id}`, {})).body).toEqual(known);
  for (const [change, seen] of [
    [{ url: 'https://127.0.0.1/other' }, { url: 'https://127.0.0.1/other', target: 'https://127.0.0.1/other' }],
    [{ description: 'B' }, { description: 'B' }],
    [{ description: '' }, { description: '' }],
    [
      { authUsername: 'u', authPassword: 'p' },
      { authUsername: 'u', hasAuth: true },
    ],
    [{ authUsername: 'v' }, { authUsername: 'v', hasAuth: true }],
    [{ authUsername: null }, { authUsername: null, hasAuth: false }],
    [
      { authUsername: 'u', authPassword: 'p' },
      { authUsername: 'u', hasAuth: true },
    ],
    [{ authPassword: null }, { authUsername: null, hasAuth: false }],
    [{ config: { maxConcurrency: 1 } }, { config: { maxConcurrency: 1 } }],
    [{ config: {} }, { config: {} }],
    [{ metadata: { c: 'd' } }, { metadata: { c: 'd' } }],
    [{ metadata: null }, { metadata: {} }],
  ]) {
    const reply = await manage('PATCH', `/endpoints/${id}`, change);
    const wanted = { ...known, ...seen, updatedAt: expect.any(String) };
    expect([change, reply.status, reply.body]).toEqual([change, 200, wanted]);
    known = await read();
    expect(known).toEqual(reply.body);
  }
  for (const refused of [
    { authUsername: 'alone' },
    { authPassword: 'alone' },
    { description: null },
    { isActive: 'no' },
    { config: { a: 1 } },
    { environmentId: UNKNOWN_ENVIRONMENT },
    { type: 'playground' },
  ]) {
    expect(codeOf(await manage('PATCH', `/endpoints/${id}`, refused))).toBe('validation_error');
  }
  expect(await read()).toEqual(known);
});

test('docs/interface.md, Deactivation: isActive false deactivates and true activates again', async () => {
  const { manage, make } = service.workspace;
  const id = await make('/endpoints', { url: URL });
  const off = await manage('PATCH', `/endpoints/${id}`, { isActive: false });
  expect(off.body).toMatchObject({ isActive: false, disabledReason: 'manual', disabledAt: expect.any(String) });
  expect((await manage('GET', '/endpoints?is_active=false')).body.map((one: { id: string }) => one.id)).toContain(id);
  const on = await manage('PATCH', `/endpoints/${id}`, { isActive: true });
  expect(on.body).toMatchObject({ isActive: true, disabledReason: null, disabledAt: null });
});

test('docs/interface.md, Endpoint: DELETE has an empty body; the endpoint and its subscriptions are gone at once', async () => {
  const { manage, makeRoute, ingest } = service.workspace;
  const { endpointId, eventTypeId } = await makeRoute(URL);
  const deleted = await manage('DELETE', `/endpoints/${endpointId}`);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect(codeOf(await ingest(endpointId, {}))).toBe('not_found');
  expect(codeOf(await manage('GET', `/endpoints/${endpointId}/deliveries`))).toBe('not_found');
  expect((await manage('DELETE', `/event-types/${eventTypeId}`)).status).toBe(204);
});

describe('docs/interface.md, Errors: not_found when the endpoint is missing, of another workspace, or deleted', () => {
  test.each<[string, string, object | undefined]>([
    ['GET', '', undefined],
    ['PATCH', '', { description: 'x' }],
    ['DELETE', '', undefined],
    ['GET', '/subscriptions', undefined],
    ['POST', '/subscriptions', { eventTypeIds: ['evt_01jczhk8m3fd8tqv5x0w2b9n4e'] }],
    ['DELETE', '/subscriptions/evt_01jczhk8m3fd8tqv5x0w2b9n4e', undefined],
    ['GET', '/deliveries', undefined],
    ['POST', '/secret/rotate', {}],
  ])('%s {id}%s', async (method, rest, body) => {
    const { manage, make } = service.workspace;
    const foreign = await (await service.another()).make('/endpoints', { url: URL });
    const deleted = await make('/endpoints', { url: URL });
    await manage('DELETE', `/endpoints/${deleted}`);
    const texts = new Set<string>();
    for (const id of [
      UNKNOWN,
      foreign,
      deleted,
      'ep_x',
      'x',
      '%00',
      'x'.repeat(3_000),
      foreign.replace('ep_', 'app_'),
    ]) {
      const reply = await manage(method, `/endpoints/${id}${rest}`, body);
      expect([id, reply.status, codeOf(reply)]).toEqual([id, 404, 'not_found']);
      texts.add(reply.text);
    }
    expect([...texts]).toEqual(['{"error":{"code":"not_found","message":"Endpoint not found"}}']);
  });
});

test('docs/interface.md, Subscription: subscribed counts the new ones; those that exist are skipped silently', async () => {
  const { manage, make } = service.workspace;
  const endpointId = await make('/endpoints', { url: URL });
  const names = [unique('sub.a_'), unique('sub.b_'), unique('sub.c_')];
  const [a = '', b = '', c = ''] = await Promise.all(names.map((name) => make('/event-types', { name })));
  const path = `/endpoints/${endpointId}/subscriptions`;
  const subscribe = async (eventTypeIds: unknown) => manage('POST', path, { eventTypeIds });
  const first = await subscribe([a, b, a]);
  expect([first.status, first.body]).toEqual([200, { subscribed: 2 }]);
  expect((await subscribe([a, b])).body).toEqual({ subscribed: 0 });
  const list = await manage('GET', path);
  expect(list.body).toEqual([
    {
      id: expect.stringMatching(/^sub_/),
      eventTypeId: a,
      eventType: names[0],
      eventTypeName: names[0],
      filter: null,
      pattern: null,
      createdAt: expect.any(String),
    },
    {
      id: expect.stringMatching(/^sub_/),
      eventTypeId: b,
      eventType: names[1],
      eventTypeName: names[1],
      filter: null,
      pattern: null,
      createdAt: expect.any(String),
    },
  ]);
  const unknown = await subscribe([c, 'evt_01jczhk8m3fd8tqv5x0w2b9n4e']);
  expect([unknown.status, codeOf(unknown)]).toEqual([404, 'not_found']);
  for (const refused of [undefined, [], 'x', [1], null, Array(101).fill(c)]) {
    expect([refused, codeOf(await subscribe(refused))]).toEqual([refused, 'validation_error']);
  }
  expect((await manage('GET', path)).body).toEqual(list.body);
  const raced = await Promise.all(Array.from({ length: 10 }, () => subscribe([c])));
  expect(raced.map(({ body }) => body.subscribed).sort()).toEqual([...Array(9).fill(0), 1]);
});

test('docs/interface.md, Subscription: removing one leaves the rest; removing it again is not_found', async () => {
  const { manage, makeRoute } = service.workspace;
  const { endpointId, eventTypeId } = await makeRoute(URL);
  const path = `/endpoints/${endpointId}/subscriptions`;
  const removed = await manage('DELETE', `${path}/${eventTypeId}`);
  expect([removed.status, removed.text]).toEqual([204, '']);
  expect((await manage('GET', path)).body).toEqual([]);
  expect(codeOf(await manage('DELETE', `${path}/${eventTypeId}`))).toBe('not_found');
});

test('docs/interface.md, Subscription: the same operations are offered to a session token', async () => {
  const { dashboard, sessionOf, make } = service.workspace;
  const session = await sessionOf('member');
  const path = `/endpoints/${await make('/endpoints', { url: URL })}/subscriptions`;
  const eventTypeId = await make('/event-types', { name: unique('sub.d_') });
  expect((await dashboard(session, 'POST', path, { eventTypeIds: [eventTypeId] })).body).toEqual({ subscribed: 1 });
  expect((await dashboard(session, 'GET', path)).body).toMatchObject([{ eventTypeId }]);
  expect((await dashboard(session, 'DELETE', `${path}/${eventTypeId}`)).status).toBe(204);
});

test('docs/interface.md, Signing secret: a new secret; three live at most; a grace of 0 is always allowed', async () => {
  const { manage, make } = service.workspace;
  const id = await make('/endpoints', { url: URL });
  const rotate = (body: object) => manage('POST', `/endpoints/${id}/secret/rotate`, body);
  const before = (await manage('GET', `/endpoints/${id}`)).body.secret;
  const first = await rotate({});
  expect(first.status).toBe(200);
  expect(first.body.secret).not.toBe(before);
  expect((await rotate({ gracePeriodSeconds: 604_800 })).status).toBe(200);
  expect(codeOf(await rotate({}))).toBe('limit_reached');
  for (const gracePeriodSeconds of [-1, 604_801, 1.5, '1', null]) {
    expect([gracePeriodSeconds, codeOf(await rotate({ gracePeriodSeconds }))]).toEqual([
      gracePeriodSeconds,
      'validation_error',
    ]);
  }
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  expect((await rotate({ gracePeriodSeconds: 0, secret })).body.secret).toBe(secret);
  expect((await rotate({})).status).toBe(200);
});

test('docs/interface.md, Endpoint: a url of another origin needs the credentials again, or clears them', async () => {
  const { make, manage } = service.workspace;
  const id = await make('/endpoints', { url: URL, authUsername: 'u', authPassword: 'p' });
  const patch = (body: object) => manage('PATCH', `/endpoints/${id}`, body);
  const elsewhere = 'https://127.0.0.1:8443/';
  expect(codeOf(await patch({ url: elsewhere, authUsername: 'u' }))).toBe('validation_error');
  const kept = await patch({ url: elsewhere, authUsername: 'u', authPassword: 'p' });
  expect(kept.body).toMatchObject({ url: elsewhere, authUsername: 'u', hasAuth: true });
  expect((await patch({ url: `${elsewhere}path` })).body).toMatchObject({ hasAuth: true });
  expect((await patch({ url: URL })).body).toMatchObject({ authUsername: null, hasAuth: false });
});

test('docs/interface.md, Lists and cursors: a page of the list with limit, whose Link leads to the next', async () => {
  const { manage, make } = await service.another();
  const made = [];
  for (let n = 0; n < 3; n += 1) made.push(await make('/endpoints', { url: URL }));
  const ids = (reply: { body: { id: string }[] }) => reply.body.map(({ id }) => id);
  expect(ids(await manage('GET', '/endpoints'))).toEqual(made);
  const first = await manage('GET', '/endpoints?limit=2');
  const next = /^<endpoints\?(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1];
  const second = await manage('GET', `/endpoints?${next}`);
  expect([ids(first), ids(second), second.headers.get('link')]).toEqual([made.slice(0, 2), made.slice(2), null]);
});

test('docs/interface.md, Egress rules: a url with a port of another protocol is refused', async () => {
  const reply = await service.workspace.manage('POST', '/endpoints', { url: 'https://example.com:6379/' });
  expect([reply.status, reply.body.error]).toMatchObject([
    400,
    { code: 'validation_error', message: 'url must not use port 6379' },
  ]);
});

test('docs/interface.md, Endpoint: ext: and an externalId name an endpoint in paths, filters and ingestion, by its environment', async () => {
  const { manage, environmentId, ingest, make } = service.workspace;
  const externalId = unique('crm-');
  const other = await make('/environments', { name: 'B', slug: unique('named-') });
  const one = await manage('POST', '/endpoints', { url: 'https://127.0.0.1/a', environmentId, externalId });
  expect([one.status, one.body.externalId]).toEqual([201, externalId]);
  const taken = await manage('POST', '/endpoints', { url: 'https://127.0.0.1/a', environmentId, externalId });
  expect([taken.status, codeOf(taken)]).toEqual([409, 'external_id_taken']);
  expect((await manage('GET', `/endpoints/ext:${externalId}`)).body.id).toBe(one.body.id);
  const two = await manage('POST', '/endpoints', { url: 'https://127.0.0.1/b', environmentId: other, externalId });
  expect(two.status).toBe(201);
  const unclear = await manage('GET', `/endpoints/ext:${externalId}`);
  expect([codeOf(unclear), unclear.body.error.message]).toEqual([
    'validation_error',
    expect.stringContaining('environment_id'),
  ]);
  expect((await manage('GET', `/endpoints/ext:${externalId}?environment_id=${other}`)).body.id).toBe(two.body.id);
  const here = `/endpoints/${one.body.id}`;
  expect((await manage('GET', `${here}?environment_id=${environmentId}`)).body.id).toBe(one.body.id);
  for (const elsewhere of [other, 'env_none'])
    expect(codeOf(await manage('PATCH', `${here}?environment_id=${elsewhere}`, { isActive: false }))).toBe('not_found');
  const sent = await ingest(`ext:${externalId}`, { n: 1 });
  expect([sent.status, sent.body.endpointId]).toEqual([202, one.body.id]);
  const listed = await manage('GET', `/deliveries?endpoint_id=ext:${externalId}&environment_id=${environmentId}`);
  expect(listed.body.deliveries.map(({ id }: { id: string }) => id)).toEqual([sent.body.deliveryId]);
  const found = await manage('GET', `/endpoints?external_id=${externalId}`);
  expect(found.body.map(({ id }: { id: string }) => id)).toEqual([one.body.id, two.body.id]);
  const cleared = await manage('PATCH', `/endpoints/ext:${externalId}?environment_id=${other}`, { externalId: null });
  expect(cleared.body).toMatchObject({ id: two.body.id, externalId: null });
  expect((await manage('GET', `/endpoints/ext:${externalId}`)).body.id).toBe(one.body.id);
  expect((await manage('DELETE', `/endpoints/ext:${externalId}`)).status).toBe(204);
  expect(codeOf(await manage('GET', `/endpoints/ext:${externalId}`))).toBe('not_found');
  expect(codeOf(await ingest('ext:nobody', {}))).toBe('not_found');
});

test('docs/interface.md, Endpoint: the portal shows the externalId and cannot change it', async () => {
  const { manage, make, environmentId } = service.workspace;
  const applicationId = await make('/applications', { name: 'A' });
  const externalId = unique('portal-');
  const body = { url: 'https://127.0.0.1/a', environmentId, externalId };
  const made = await manage('POST', `/applications/${applicationId}/endpoints`, body);
  const portal = await manage('POST', `/applications/${applicationId}/portal-sessions`, { environmentId });
  const at = (method: string, path: string, more?: object) =>
    service.send(method, `/api/portal${path}`, {
      token: portal.body.token,
      ...(more === undefined ? {} : { body: more }),
    });
  expect((await at('GET', `/endpoints/ext:${externalId}`)).body).toMatchObject({ id: made.body.id, externalId });
  const echoed = await at('PATCH', `/endpoints/${made.body.id}`, { externalId, description: 'mine' });
  expect(echoed.body).toMatchObject({ externalId, description: 'mine' });
  expect(codeOf(await at('PATCH', `/endpoints/${made.body.id}`, { externalId: null }))).toBe('validation_error');
  expect(codeOf(await at('POST', '/endpoints', { url: 'https://127.0.0.1/b', externalId: 'x' }))).toBe(
    'validation_error',
  );
});

test('docs/interface.md, Subscription: an endpoint subscribes by name and by pattern when it is created, also to later types', async () => {
  const { manage, make, environmentId } = service.workspace;
  const prefix = unique('pattern');
  await make('/event-types', { name: `${prefix}.first` });
  const body = { url: 'https://127.0.0.1/a', environmentId, eventTypes: [`${prefix}.*`] };
  const endpoint = await manage('POST', '/endpoints', body);
  expect([endpoint.status, endpoint.body.eventTypePatterns]).toEqual([201, [{ pattern: `${prefix}.*`, filter: null }]]);
  await make('/event-types', { name: `${prefix}.deep.second` });
  const { body: subscriptions } = await manage('GET', `/endpoints/${endpoint.body.id}/subscriptions`);
  expect(subscriptions.map((one: { eventTypeName: string }) => one.eventTypeName)).toEqual([
    `${prefix}.first`,
    `${prefix}.deep.second`,
  ]);
  const unknown = await manage('POST', '/endpoints', { ...body, eventTypes: [`${prefix}.nope`] });
  expect([unknown.status, unknown.body.error.message]).toEqual([404, `Event type not found: ${prefix}.nope`]);
});
