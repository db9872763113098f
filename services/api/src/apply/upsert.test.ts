import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KINDS } from '@posthorn/destinations/kinds';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, managementCaller, tally } from '../../test/caller.ts';
import { uuidOf } from '../../test/people.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 }, settings: { MCP_EVENTS: true } });
afterAll(() => api.stop());

const url = 'https://127.0.0.1/hook';
let workspace: SeededWorkspace;
let call: Caller;
beforeAll(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
  await call('post', '/event-types', { name: 'order.paid', publishIn: [workspace.environmentId] });
  await call('post', '/event-types', { name: 'order.sent', publishIn: [workspace.environmentId] });
});

describe('PUT /applications/ext:…', () => {
  test('creates with 201, then replaces with 200: what is absent gets its default, and the id stays', async () => {
    const first = await call('put', '/applications/ext:acme', { name: 'Acme', metadata: { tier: 'gold' } });
    expect([first.status, first.body]).toEqual([
      201,
      expect.objectContaining({ externalId: 'acme', name: 'Acme', metadata: { tier: 'gold' } }),
    ]);
    const second = await call('put', '/applications/ext:acme', { name: 'Acme Ltd', externalId: 'acme' });
    expect([second.status, second.body]).toEqual([
      200,
      { ...first.body, name: 'Acme Ltd', metadata: {}, updatedAt: expect.any(String) },
    ]);
    const { body } = await call('get', '/audit-logs');
    const actions = body.data
      .map(({ action }: { action: string }) => action)
      .filter((one: string) => /^appl/.test(one));
    expect(actions).toEqual(['application.updated', 'application.created']);
    expect((await call('put', '/applications/ext:acme', { name: 'Acme Ltd' })).status).toBe(200);
    expect((await call('get', '/audit-logs')).body.data).toHaveLength(body.data.length);
  });

  test('an id, another externalId and a missing name are refused', async () => {
    const { body } = await call('put', '/applications/ext:known', { name: 'Known' });
    const refused = [
      await call('put', `/applications/${body.id}`, { name: 'x' }),
      await call('put', '/applications/ext:known', { name: 'x', externalId: 'other' }),
      await call('put', '/applications/ext:known', {}),
      await call('put', '/applications/ext:', { name: 'x' }),
    ];
    expect(refused.map((one) => [one.status, one.body.error.details[0].field])).toEqual([
      [400, 'path.applicationId'],
      [400, 'externalId'],
      [400, 'name'],
      [400, 'path.applicationId'],
    ]);
  });

  test('of 8 at once one creates it, and the others replace it', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => call('put', '/applications/ext:race', { name: `N ${n}` })),
    );
    expect(tally(replies.map(({ status }) => String(status)))).toEqual({ 200: 7, 201: 1 });
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
  });

  test('with deletions at the same moment no request fails', async () => {
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        n % 2 === 0
          ? call('put', '/applications/ext:flicker', { name: 'x' })
          : call('delete', '/applications/ext:flicker'),
      ),
    );
    expect(replies.map(({ status }) => status).filter((status) => ![200, 201, 204, 404].includes(status))).toEqual([]);
  });
});

describe('PUT /endpoints/ext:…', () => {
  test('creates with 201, then replaces with 200: defaults come back; id, secret, isActive and parents stay', async () => {
    const given = {
      url,
      description: 'Shop',
      metadata: { a: '1' },
      config: { timeoutSeconds: 5 },
      secretHeaders: { 'x-key': 'k' },
      authUsername: 'u',
      authPassword: 'p',
      eventTypes: ['order.paid', { name: 'order.sent', filter: { n: 1 } }],
    };
    const first = await call('put', '/endpoints/ext:shop', given);
    expect([first.status, first.body.externalId, first.body.environmentId]).toEqual([
      201,
      'shop',
      workspace.environmentId,
    ]);
    const { id } = first.body;
    await call('patch', `/endpoints/${id}`, { isActive: false });
    const second = await call('put', '/endpoints/ext:shop', {
      url: `${url}/2`,
      isActive: true,
      eventTypes: ['order.sent'],
    });
    expect([second.status, second.body]).toMatchObject([
      200,
      {
        ...{ id, url: `${url}/2`, description: '', metadata: {}, authUsername: null, isActive: false },
        ...{ secret: first.body.secret, applicationId: null, environmentId: workspace.environmentId },
      },
    ]);
    expect(second.body.config).toEqual((await call('put', '/endpoints/ext:plain', { url })).body.config);
    expect(JSON.stringify(second.body)).not.toContain('x-key');
    const { body } = await call('get', `/endpoints/${id}/subscriptions`);
    expect(body).toMatchObject([{ eventType: 'order.sent', filter: null }]);
    expect(body).toHaveLength(1);
  });

  test('the same body again changes nothing and leaves no audit entry', async () => {
    const body = {
      url,
      secretHeaders: { 'x-key': 'k' },
      eventTypes: ['order.paid'],
      config: { timeoutSeconds: 5 },
    };
    const first = await call('put', '/endpoints/ext:same', body);
    const { data } = (await call('get', '/audit-logs')).body;
    const again = await call('put', '/endpoints/ext:same', body);
    expect([again.status, again.body]).toEqual([200, { ...first.body }]);
    expect((await call('get', '/audit-logs')).body.data).toEqual(data);
  });

  test('the name belongs to its environment', async () => {
    const staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
    const here = await call('put', '/endpoints/ext:both', { url });
    const there = await call('put', '/endpoints/ext:both', { url, environmentId: staging });
    const again = await call('put', '/endpoints/ext:both', { url: `${url}/2`, environmentId: staging });
    expect([here.status, there.status, again.status]).toEqual([201, 201, 200]);
    expect([there.body.id === here.body.id, again.body.id, again.body.environmentId]).toEqual([
      false,
      there.body.id,
      staging,
    ]);
  });

  test('the same name under another owner is external_id_taken, in both directions', async () => {
    const acme = (await call('put', '/applications/ext:owner-a', { name: 'A' })).body.id;
    await call('put', '/applications/ext:owner-b', { name: 'B' });
    const made = await call('put', '/applications/ext:owner-a/endpoints/ext:of-a', { url });
    expect([made.status, made.body.applicationId]).toEqual([201, acme]);
    const others = [
      await call('put', '/applications/ext:owner-b/endpoints/ext:of-a', { url }),
      await call('put', '/endpoints/ext:of-a', { url }),
      await call('put', '/endpoints/ext:of-a', { url, applicationId: 'ext:owner-b' }),
      await call('put', '/applications/ext:owner-a/endpoints/ext:plain', { url }),
    ];
    expect(others.map(codeOf)).toEqual(Array(4).fill('external_id_taken'));
    const same = [
      await call('put', '/applications/ext:owner-a/endpoints/ext:of-a', { url }),
      await call('put', '/endpoints/ext:of-a', { url, applicationId: acme }),
    ];
    expect(same.map(({ status, body }) => [status, body.id])).toEqual(Array(2).fill([200, made.body.id]));
    const unknown = await call('put', '/applications/ext:nobody/endpoints/ext:x', { url });
    expect([unknown.status, codeOf(unknown)]).toEqual([404, 'not_found']);
  });

  test('another type, an unknown event type, a missing url and an id in the path are refused as by POST', async () => {
    await call('put', '/endpoints/ext:typed', { url });
    const refused = [
      await call('put', '/endpoints/ext:typed', { type: 'playground' }),
      await call('put', '/endpoints/ext:typed', { url, eventTypes: ['no.such'] }),
      await call('put', '/endpoints/ext:typed', {}),
      await call('put', '/endpoints/ep_01jczhk8m3fd8tqv5x0w2b9n4e', { url }),
    ];
    expect(refused.map(codeOf)).toEqual(['validation_error', 'not_found', 'validation_error', 'validation_error']);
  });

  test('of 8 at once one creates it, and the others replace it', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => call('put', '/endpoints/ext:race', { url, description: `N ${n}` })),
    );
    expect(tally(replies.map(({ status }) => String(status)))).toEqual({ 200: 7, 201: 1 });
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
  });
});

describe('POST /endpoints with applicationId', () => {
  test('creates the endpoint of that application, by its id or by ext:', async () => {
    const { id } = (await call('put', '/applications/ext:direct', { name: 'Direct' })).body;
    for (const applicationId of [id, 'ext:direct']) {
      const made = await call('post', '/endpoints', { url, applicationId });
      expect([made.status, made.body.applicationId]).toEqual([201, id]);
    }
    expect(codeOf(await call('post', '/endpoints', { url, applicationId: 'ext:nobody' }))).toBe('not_found');
  });

  test('in the path of an application, the body names none', async () => {
    await call('put', '/applications/ext:one', { name: 'One' });
    await call('put', '/applications/ext:two', { name: 'Two' });
    const body = { url, applicationId: 'ext:two' };
    const refused = [
      await call('post', '/applications/ext:one/endpoints', body),
      await call('put', '/applications/ext:one/endpoints/ext:new', body),
    ];
    expect(refused.map((one) => [one.status, one.body.error.details[0].field])).toEqual(
      Array(2).fill([400, 'applicationId']),
    );
  });
});

const SERVER = { region: 'eu-central-1', endpoint: 'https://127.0.0.1' };
const KEYS = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'example' };

/** The types that have a destination and credentials. */
const STORES: Record<string, [destination: object, credentials: object]> = {
  rabbitmq: [
    { host: '127.0.0.1', exchange: 'events' },
    { username: 'u', password: 'p' },
  ],
  kafka: [
    { brokers: ['127.0.0.1:9093'], topic: 'events', saslMechanism: 'plain' },
    { username: 'u', password: 'p' },
  ],
  nats: [{ servers: ['127.0.0.1:4222'] }, { user: 'u', password: 'p' }],
  pubsub: [{ projectId: 'acme-prod', topicId: 'events', endpoint: '127.0.0.1:443' }, { serviceAccountJson: account() }],
  sqs: [{ queueUrl: 'https://127.0.0.1/123456789012/events', region: SERVER.region }, KEYS],
  sns: [{ topicArn: 'arn:aws:sns:eu-central-1:123456789012:events', endpoint: SERVER.endpoint }, KEYS],
  kinesis: [{ streamName: 'events', ...SERVER }, KEYS],
  eventbridge: [{ eventBusName: 'events', source: 'com.acme', ...SERVER }, KEYS],
  s3: [{ bucket: 'events', ...SERVER }, KEYS],
};

function account(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  return JSON.stringify({ type: 'service_account', client_email: 'a@example.com', private_key_id: 'k', private_key });
}

const eventTypes = [
  { name: 'order.paid', filter: { n: 1 } },
  { pattern: 'order.*', filter: { n: 2 } },
];
const webhook = { url, eventTypes, isActive: false, description: 'Shop', metadata: { a: 1, b: null } };
const BODIES: Record<string, object> = {
  'a plain webhook': { url },
  'a webhook with every setting': {
    ...webhook,
    config: { headers: { 'x-a': '1' }, timeoutSeconds: 5, signature: 'standard-ed25519', ordering: 'fifo' },
    ...{ secretHeaders: { 'x-key': 'k' }, authUsername: 'u', authPassword: 'p', secret: `whsec_${'A'.repeat(32)}` },
  },
  'a webhook with OAuth 2': {
    ...webhook,
    config: { oauth2: { tokenUrl: 'https://127.0.0.1/token', clientId: 'c' } },
    credentials: { oauth2ClientSecret: 's' },
  },
  'a playground': { type: 'playground', eventTypes, config: { playground: { status: 201 } } },
  'a pull endpoint': { type: 'pull', eventTypes },
  ...Object.fromEntries(
    Object.entries(STORES).map(([type, [destination, credentials]]) => [
      type,
      { type, eventTypes, config: { destination }, credentials },
    ]),
  ),
};

describe('docs/interface.md, Strict requests: an answer that is sent back by PUT changes nothing', () => {
  const audited = async () => (await call('get', '/audit-logs')).body.total;

  test('the bodies here have every type of endpoint', () => {
    const types = Object.values(BODIES).map((body) => Reflect.get(body, 'type') ?? 'webhook');
    expect([...new Set(types)].sort()).toEqual(KINDS.map(({ type }) => type).sort());
  });

  test.each(Object.entries(BODIES))('%s', async (name, body) => {
    const reference = `ext:${name.replaceAll(/\W/g, '-')}`;
    const made = await call('put', `/endpoints/${reference}`, body);
    expect([made.status, made.body.error]).toEqual([201, undefined]);
    const read = async () => [
      (await call('get', `/endpoints/${made.body.id}`)).body,
      (await call('get', `/endpoints/${made.body.id}/subscriptions`)).body,
    ];
    const [endpoint, subscriptions] = await read();
    const entries = await audited();
    for (const sent of [endpoint, made.body]) {
      const reply = await call('put', `/endpoints/${reference}`, sent);
      expect([reply.status, reply.body]).toEqual([200, endpoint]);
    }
    expect(await read()).toEqual([endpoint, subscriptions]);
    expect(await audited()).toBe(entries);
    // Secrets stay, too: a delivery or a test would use them.
    const changed = await call('put', `/endpoints/${reference}`, { ...endpoint, description: 'Other' });
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...endpoint, description: 'Other', updatedAt: expect.any(String) },
    ]);
  });

  test('an endpoint of an application, below it and by its owner', async () => {
    const acme = (await call('put', '/applications/ext:sent-back', { name: 'Acme' })).body.id;
    const made = await call('put', '/applications/ext:sent-back/endpoints/ext:of-acme', { url, eventTypes });
    const endpoint = (await call('get', `/endpoints/${made.body.id}`)).body;
    expect([made.status, endpoint.applicationId]).toEqual([201, acme]);
    const paths = ['/applications/ext:sent-back/endpoints', `/applications/${acme}/endpoints`, '/endpoints'];
    for (const path of paths) {
      const reply = await call('put', `${path}/ext:of-acme`, endpoint);
      expect([reply.status, reply.body]).toEqual([200, endpoint]);
    }
  });

  test('an endpoint whose config has a key from before requests were strict', async () => {
    const { id } = (await call('put', '/endpoints/ext:older', { url, config: { timeoutSeconds: 5 } })).body;
    const config = { timeoutSeconds: 5, formerKey: { a: 1 } };
    await api.db.endpoint.update({ where: { id: uuidOf('ep', id) }, data: { config } });
    const endpoint = (await call('get', `/endpoints/${id}`)).body;
    const same = await call('put', '/endpoints/ext:older', endpoint);
    expect([same.status, same.body]).toEqual([200, endpoint]);
    const other = await call('put', '/endpoints/ext:older', { ...endpoint, config: { ...config, formerKey: 2 } });
    expect(codeOf(other)).toBe('validation_error');
  });

  test('an application, the visibility of an event type, and the settings of agents', async () => {
    await call('put', '/applications/ext:itself', { name: 'Acme', metadata: { tier: 'gold' } });
    const { environmentId } = workspace;
    const settings = { enabled: true, callbackHosts: ['*.example.com'], maxTtlSeconds: 600 };
    const issuer = { issuer: 'https://127.0.0.1/issuer' };
    await call('put', `/environments/${environmentId}/agents`, { ...settings, issuer });
    const [entry] = (await call('get', `/environments/${environmentId}/event-types?include=endpoints`)).body;
    const visibility = `/environments/${environmentId}/event-types/${entry.eventTypeId}/visibility`;
    const { endpoints: _count, ...kept } = entry;
    const resources = [
      ['/applications/ext:itself', (await call('get', '/applications/ext:itself')).body],
      [`/environments/${environmentId}/agents`, (await call('get', `/environments/${environmentId}/agents`)).body],
    ];
    const entries = await audited();
    for (const [path, resource] of resources) {
      const reply = await call('put', path, resource);
      expect([path, reply.status, reply.body]).toEqual([path, 200, resource]);
    }
    const reply = await call('put', visibility, entry);
    expect([reply.status, reply.body, await audited()]).toEqual([200, kept, entries]);
  });

  test('without the fields of an answer, what is absent gets its default', async () => {
    const body = { ...webhook, secretHeaders: { 'x-a': '1', 'x-b': '2' }, authUsername: 'u', authPassword: 'p' };
    const { id } = (await call('put', '/endpoints/ext:bare', body)).body;
    const some = await call('put', '/endpoints/ext:bare', { url, secretHeaderNames: ['X-B', 'x-unknown'] });
    expect([some.status, some.body]).toMatchObject([
      200,
      { secretHeaderNames: ['x-b'], eventTypePatterns: [], hasAuth: false },
    ]);
    expect((await call('get', `/endpoints/${id}/subscriptions`)).body).toEqual([]);
  });

  test('another url than the one that the service gave is refused', async () => {
    const { body } = await call('put', '/endpoints/ext:given', { type: 'pull' });
    for (const name of ['given', 'new']) {
      const sent = { type: 'pull', url: name === 'new' ? body.url : `${body.url}x` };
      const reply = await call('put', `/endpoints/ext:${name}`, sent);
      expect([reply.status, reply.body.error.message]).toEqual([400, 'url of a pull is given by the service']);
    }
  });
});

test('docs/interface.md: null in a create is as good as an absent field where an answer may have null', async () => {
  const { environmentId } = workspace;
  const none = { authUsername: null, authPassword: null, externalId: null, secret: null };
  const application = await call('post', '/applications', { name: 'A', externalId: null });
  const { id } = application.body;
  const made = [
    application,
    await call('post', '/endpoints', { url, ...none, applicationId: null }),
    await call('post', `/applications/${id}/endpoints`, { url, ...none }),
    await call('put', '/endpoints/ext:nulls', { url, ...none, applicationId: null }),
    await call('post', `/applications/${id}/portal-sessions`, { theme: null, returnUrl: null }),
    await call('post', `/environments/${environmentId}/api-keys`, { name: 'K', expiresAt: null }),
    await call('post', '/agent-keys', { name: 'K', applicationId: null }),
  ];
  expect(made.map(({ status, body }) => [status, body.error])).toEqual(made.map(() => [201, undefined]));
  expect(made[1]?.body).toMatchObject({ authUsername: null, hasAuth: false, externalId: null, applicationId: null });
  expect(made[1]?.body.secret).toMatch(/^whsec_/);
});
