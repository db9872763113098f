import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller } from '../../test/caller.ts';
import { seedPerson, uuidOf } from '../../test/people.ts';
import { offered } from '../openapi/offered.ts';

// Two environments with the same things in each, and a management token that is bound to one of them
// (docs/interface.md, Management token).

type Things = Record<
  'environment' | 'endpoint' | 'event' | 'delivery' | 'operation' | 'apiKey' | 'portalSession',
  string
>;

let api: ApiUnderTest;
let all: Caller;
let people: Caller;
let bound: Caller;
let token: string;
let shared: { eventType: string; application: string };
let own: Things;
let other: Things;

beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 }, settings: { MCP_EVENTS: true } });
  all = createCaller(api.app, { base: api.base, token: api.managementToken });
  const { sessionToken } = await seedPerson(api.db, { workspaceId: api.workspaceId, role: 'admin' });
  people = createCaller(api.app, { base: `/api/workspaces/${api.workspaceId}`, token: sessionToken });
  const eventType = (await all('post', '/event-types', { name: 'order.paid' })).body.id;
  const application = (await all('post', '/applications', { name: 'Acme' })).body.id;
  shared = { eventType, application };
  const staging = (await all('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
  other = await makeThings(api.environmentId);
  own = await makeThings(staging);
  token = await tokenBoundTo([staging]);
  bound = callerOf(token);
}, 60_000);
afterAll(() => api.stop());

const callerOf = (one: string) => createCaller(api.app, { base: api.base, token: one });

async function tokenBoundTo(environmentIds: string[]): Promise<string> {
  const made = await people('post', '/management-tokens', { name: 'Bound', environmentIds });
  expect([made.status, made.body.environmentIds]).toEqual([201, environmentIds]);
  return made.body.token;
}

async function makeThings(environmentId: string): Promise<Things> {
  const made = async (path: string, body: object) => {
    const reply = await all('post', path, body);
    expect([path, reply.status < 300]).toEqual([path, true]);
    return reply.body;
  };
  await all('put', `/environments/${environmentId}/event-types/${shared.eventType}/visibility`, { published: true });
  const url = 'https://hooks.example.com';
  const { id: endpoint } = await made('/endpoints', { url, environmentId, eventTypes: ['order.paid'] });
  const event = await made('/events', { environmentId, endpointId: endpoint, data: { a: 1 } });
  const recovery = { mode: 'failed', since: new Date(Date.now() - 60_000).toISOString() };
  const { id: operation } = await made(`/endpoints/${endpoint}/recover`, recovery);
  const { id: apiKey } = await made(`/environments/${environmentId}/api-keys`, { name: 'Producer' });
  const sessions = `/applications/${shared.application}/portal-sessions`;
  const { id: portalSession } = await made(sessions, { environmentId });
  const { id, deliveryId } = event;
  return { environment: environmentId, endpoint, event: id, delivery: deliveryId, operation, apiKey, portalSession };
}

/** The path of a row, with the ids of these things. */
function pathOf(path: string, things: Things): string {
  const ids: Record<string, string> = {
    environmentId: things.environment,
    targetId: things.environment,
    endpointId: things.endpoint,
    eventTypeId: shared.eventType,
    applicationId: shared.application,
  };
  const byFirst: Record<string, string> = {
    endpoints: things.endpoint,
    events: things.event,
    deliveries: things.delivery,
    operations: things.operation,
    'event-types': shared.eventType,
    'api-keys': things.apiKey,
    'portal-sessions': things.portalSession,
  };
  return path.replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, segment: string, name: string) => {
    return `${segment}/${ids[name] ?? byFirst[segment] ?? 'none'}`;
  });
}

const reads = offered.management.filter(({ method, streams }) => method === 'get' && !streams);

describe('a token that is bound to an environment', () => {
  test.each(reads.map((row) => [row.operationId, row] as const))(
    '%s shows nothing of another environment',
    async (id, row) => {
      const theirs = Object.values(other);
      for (const things of [own, other]) {
        const reply = await bound('get', pathOf(row.path, things));
        const shown = theirs.filter((one) => JSON.stringify(reply.body).includes(one));
        expect([id, reply.status, shown]).toEqual([id, expect.any(Number), []]);
      }
    },
  );

  test('sees what belongs to its environment, in every list', async () => {
    const lists: [path: string, of: (body: Record<string, { id: string }[]>) => unknown, id: string][] = [
      ['/environments', (body) => body, own.environment],
      ['/endpoints', (body) => body, own.endpoint],
      ['/deliveries', ({ deliveries }) => deliveries, own.delivery],
      ['/events', ({ events }) => events, own.event],
      ['/operations', ({ operations }) => operations, own.operation],
      [`/applications/${shared.application}/portal-sessions`, (body) => body, own.portalSession],
    ];
    for (const [path, of, id] of lists) {
      const { body } = await bound('get', path);
      expect([path, of(body)]).toEqual([path, [expect.objectContaining({ id })]]);
    }
    const me = await createCaller(api.app, { base: '/management/v1', token })('get', '/me');
    expect([me.body.token.environmentIds, me.body.environments.map((one: { id: string }) => one.id)]).toEqual([
      [own.environment],
      [own.environment],
    ]);
  });

  test('finds nothing of another environment by its id, and can change nothing there', async () => {
    const things = [
      ['get', `/endpoints/${other.endpoint}`],
      ['patch', `/endpoints/${other.endpoint}`, { description: 'x' }],
      ['delete', `/endpoints/${other.endpoint}`],
      ['post', `/endpoints/${other.endpoint}/secret/rotate`],
      ['post', `/endpoints/${other.endpoint}/recover`, { mode: 'failed', since: '2026-01-01T00:00:00Z' }],
      ['post', `/endpoints/${other.endpoint}/subscriptions`, { eventTypeIds: [shared.eventType] }],
      ['get', `/events/${other.event}`],
      ['get', `/events/${other.event}/trace`],
      ['post', `/events/${other.event}/cancel`],
      ['get', `/deliveries/${other.delivery}`],
      ['post', `/deliveries/${other.delivery}/retry`],
      ['get', `/operations/${other.operation}`],
      ['post', `/operations/${other.operation}/cancel`],
      ['get', `/environments/${other.environment}`],
      ['get', `/environments/${other.environment}/api-keys`],
      ['post', `/environments/${other.environment}/api-keys`, { name: 'x' }],
      ['put', `/environments/${other.environment}/event-types/${shared.eventType}/visibility`, { published: false }],
      ['post', `/environments/${other.environment}/promote/${own.environment}`, { eventTypes: 'all' }],
      ['post', '/endpoints', { url: 'https://hooks.example.com', environmentId: other.environment }],
      ['post', '/events', { environmentId: other.environment, eventType: 'order.paid', data: {} }],
      ['post', '/deliveries/retry', { filter: { environmentId: other.environment } }],
      ['post', '/deliveries/cancel', { filter: { endpointId: other.endpoint } }],
      ['get', `/deliveries?environment_id=${other.environment}`],
      ['get', `/deliveries?endpoint_id=${other.endpoint}`],
      ['get', `/events?environment_id=${other.environment}`],
      ['get', `/stats?environment_id=${other.environment}`],
      ['post', `/applications/${shared.application}/portal-sessions`, { environmentId: other.environment }],
      ['get', `/applications/${shared.application}/portal-sessions/${other.portalSession}`],
      ['delete', `/applications/${shared.application}/portal-sessions/${other.portalSession}`],
    ] as const;
    for (const [method, path, body] of things) {
      const reply = await bound(method, path, body);
      expect([method, path, codeOf(reply)]).toEqual([method, path, 'not_found']);
    }
  });

  test('works in its own environment as any other token, even when it names none', async () => {
    const made = await bound('post', '/endpoints', { url: 'https://hooks.example.com' });
    expect([made.status, made.body.environmentId]).toEqual([201, own.environment]);
    expect((await bound('delete', `/endpoints/${made.body.id}`)).status).toBe(204);
    const bulk = await bound('post', '/deliveries/retry', { dryRun: true, filter: { statuses: ['pending'] } });
    expect([bulk.status, bulk.body.matched]).toEqual([200, 1]);
  });

  test('makes and ends the pull keys of its own endpoints, and of no others', async () => {
    const pull = async (environmentId: string) => {
      const made = await all('post', '/endpoints', { type: 'pull', environmentId });
      expect(made.status).toBe(201);
      return `/endpoints/${made.body.id}/pull-keys`;
    };
    const [mine, theirs] = [await pull(own.environment), await pull(other.environment)];
    const made = await bound('post', mine, { name: 'Consumer' });
    expect([made.status, made.body.pullKey]).toEqual([201, expect.stringMatching(/^phpl_/)]);
    expect((await bound('delete', `${mine}/${made.body.id}`)).status).toBe(204);
    const [key] = (await all('get', theirs)).body;
    expect(codeOf(await bound('post', theirs, {}))).toBe('not_found');
    expect(codeOf(await bound('delete', `${theirs}/${key.id}`))).toBe('not_found');
    for (const keys of [mine, theirs]) await all('delete', keys.slice(0, keys.lastIndexOf('/')));
  });

  test('makes, changes, tests and deletes alert rules of its environment, and only reads the ones of all environments', async () => {
    const events = ['posthorn.endpoint.failing'];
    const rule = { name: 'On call', channel: 'pagerduty', target: 'a'.repeat(32), events };
    const made = await bound('post', '/alert-rules', rule);
    expect([made.status, made.body.environmentId]).toEqual([201, own.environment]);
    const mine = `/alert-rules/${made.body.id}`;
    expect((await bound('patch', mine, { name: 'Night' })).body.name).toBe('Night');
    expect((await bound('post', `${mine}/test`)).status).toBe(202);
    expect(codeOf(await bound('patch', mine, { environmentId: null }))).toBe('forbidden');
    expect(codeOf(await bound('patch', mine, { environmentId: other.environment }))).toBe('not_found');
    expect((await bound('delete', mine)).status).toBe(204);
    const ofAll = `/alert-rules/${(await all('post', '/alert-rules', rule)).body.id}`;
    const elsewhere = { ...rule, environmentId: other.environment };
    const theirs = `/alert-rules/${(await all('post', '/alert-rules', elsewhere)).body.id}`;
    expect((await bound('get', ofAll)).status).toBe(200);
    const changes = [
      ['patch', '', { environmentId: own.environment }],
      ['post', '/test'],
      ['delete', ''],
    ] as const;
    for (const [method, path, body] of changes) {
      expect([method, codeOf(await bound(method, `${ofAll}${path}`, body))]).toEqual([method, 'forbidden']);
      expect([method, codeOf(await bound(method, `${theirs}${path}`, body))]).toEqual([method, 'not_found']);
    }
    for (const path of [ofAll, theirs]) expect((await all('delete', path)).status).toBe(204);
  });

  test('reads what belongs to the whole workspace, and is forbidden to change it', async () => {
    expect((await bound('get', '')).status).toBe(200);
    expect((await bound('get', `/event-types/${shared.eventType}`)).status).toBe(200);
    expect((await bound('get', `/applications/${shared.application}`)).status).toBe(200);
    const changes = [
      ['patch', '', { name: 'x' }],
      ['post', '/environments', { name: 'x', slug: 'x' }],
      ['patch', `/environments/${own.environment}`, { name: 'x' }],
      ['delete', `/environments/${own.environment}`],
      ['post', '/event-types', { name: 'order.late' }],
      ['patch', `/event-types/${shared.eventType}`, { description: 'x' }],
      ['delete', `/event-types/${shared.eventType}`],
      ['post', '/applications', { name: 'x' }],
      ['patch', `/applications/${shared.application}`, { name: 'x' }],
      ['delete', `/applications/${shared.application}`],
      ['post', '/erasures', { applicationId: shared.application }],
      ['post', '/erasures', { applicationId: shared.application, dryRun: true }],
      ['get', '/audit-logs'],
    ] as const;
    for (const [method, path, body] of changes) {
      const reply = await bound(method, path, body);
      expect([method, path, reply.status, codeOf(reply)]).toEqual([method, path, 403, 'forbidden']);
    }
  });

  test('bound to two environments, it sees both, and names one where the default is neither', async () => {
    const both = callerOf(await tokenBoundTo([own.environment, other.environment]));
    const { body } = await both('get', '/deliveries');
    expect(body.deliveries.map((one: { id: string }) => one.id)).toEqual([own.delivery, other.delivery]);
    const bulk = await both('post', '/deliveries/retry', { filter: { statuses: ['pending'] } });
    expect(bulk.body.error.message).toBe(
      'filter.environmentId is required: this token is bound to several environments',
    );
  });

  test('bound to two environments, it promotes one to the other, but not the settings of the environment', async () => {
    const both = callerOf(await tokenBoundTo([own.environment, other.environment]));
    const path = `/environments/${other.environment}/promote/${own.environment}`;
    await all('patch', `/environments/${other.environment}`, { requireApplication: true });
    expect(codeOf(await both('post', path, { settings: true }))).toBe('forbidden');
    expect((await all('get', `/environments/${own.environment}`)).body.requireApplication).toBe(false);
    const planned = await both('post', path, { settings: true, dryRun: true });
    expect(planned.body.applied.settings).toEqual({ requireApplication: { from: false, to: true } });
    expect((await both('post', path, { eventTypes: 'all' })).status).toBe(200);
    await all('patch', `/environments/${other.environment}`, { requireApplication: false });
  });

  test('counts the health of applications in its environment alone, and sorts them by it', async () => {
    const application = (await all('post', '/applications', { name: 'Troubled' })).body.id;
    const calm = (await all('post', '/applications', { name: 'Calm' })).body.id;
    const endpoint = { url: 'https://hooks.example.com', environmentId: other.environment };
    const made = (await all('post', `/applications/${application}/endpoints`, endpoint)).body.id;
    const endpointId = uuidOf('ep', made);
    await api.db.endpointHealth.create({ data: { endpointId, consecutiveFailures: 10, openUntil: new Date() } });
    const event = { environmentId: other.environment, eventType: 'order.paid', applicationId: application, data: 1 };
    expect((await all('post', '/events', event)).status).toBe(202);
    const none = { endpoints: 0, failing: 0, degraded: 0, undelivered: 0, lastEventAt: null };
    const some = { ...none, endpoints: 1, failing: 1, lastEventAt: expect.any(String) };
    const shown = async (caller: Caller, query: string) => {
      const { body } = await caller('get', `/applications?include=health&limit=2&${query}`);
      return body.applications.map(({ id, health }: { id: string; health: object }) => [id, health]);
    };
    const newestFirst = [
      [calm, none],
      [application, none],
    ];
    expect(await shown(bound, '')).toEqual(newestFirst);
    expect(await shown(bound, 'sort=trouble')).toEqual(newestFirst);
    const both = callerOf(await tokenBoundTo([own.environment, other.environment]));
    expect(await shown(both, 'sort=trouble')).toEqual([
      [application, some],
      [calm, none],
    ]);
  });
});

test('a token that is bound to networks is forbidden from elsewhere', async () => {
  const tokenFor = async (allowedNetworks: string[]) =>
    (await people('post', '/management-tokens', { name: 'Network', allowedNetworks })).body.token;
  for (const networks of [['127.0.0.1'], ['10.0.0.0/8', '127.0.0.0/8'], ['::1/128', '127.0.0.1/32']]) {
    expect((await callerOf(await tokenFor(networks))('get', '')).status).toBe(200);
  }
  const refused = await callerOf(await tokenFor(['203.0.113.0/24', '2001:db8::/32']))('get', '');
  expect([refused.status, refused.body.error]).toEqual([
    403,
    { code: 'forbidden', message: expect.stringMatching(/^This token may not be used from [\d.:a-f]+$/) },
  ]);
});

test.each<[string, object]>([
  ['no environment at all', { environmentIds: [] }],
  ['no network at all', { allowedNetworks: [] }],
  ['a host name as a network', { allowedNetworks: ['example.com'] }],
  ['a range that is too long', { allowedNetworks: ['203.0.113.0/33'] }],
])('%s is refused', async (_, body) => {
  expect(codeOf(await people('post', '/management-tokens', { name: 'Deploy', ...body }))).toBe('validation_error');
});

test('an environment of another workspace is not found', async () => {
  const { environmentId } = await api.seedAnother();
  const reply = await people('post', '/management-tokens', { name: 'Deploy', environmentIds: [environmentId] });
  expect(codeOf(reply)).toBe('not_found');
});

test('an Idempotency-Key belongs to the workspace: a token that reaches less makes another request with it', async () => {
  const body = { name: 'Once' };
  const at = (caller: Caller, key: string) =>
    caller('post', `/environments/${own.environment}/api-keys`, body).set('idempotency-key', key);
  expect((await at(all, 'shared')).status).toBe(201);
  expect(codeOf(await at(bound, 'shared'))).toBe('idempotency_conflict');
  const first = await at(bound, 'of-the-bound');
  const again = await at(bound, 'of-the-bound');
  expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([201, 'true', first.body]);
});
