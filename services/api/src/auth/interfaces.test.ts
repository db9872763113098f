import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import { newToken } from '@posthorn/crypto/token';
import { systemClock } from '@posthorn/runtime/clock';
import { missingId, type Noun, nounOf } from '@posthorn/testkit/id-nouns';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type SeededPerson, seedPerson, seedPortal, uuidOf } from '../../test/people.ts';
import { accountRoutes } from '../account/account.routes.ts';
import type { Route } from '../operation/route.ts';
import { portalRoutes } from '../portal/portal.routes.ts';
import { insertPullKey } from '../pull-keys/new-pull-key.ts';
import { routes } from '../routes.ts';

let api: ApiUnderTest;
let owner: SeededPerson;
let portalToken: string;
let own: Things;
let foreign: Things;

beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 }, settings: { MCP_EVENTS: true } });
  const other = await api.seedAnother();
  own = await seedThings(api);
  foreign = await seedThings(other);
  owner = await seedPerson(api.db, { workspaceId: api.workspaceId, role: 'owner' });
  portalToken = (await seedPortal(api.db, { ...api, applicationId: own.applications })).portalToken;
});
afterAll(() => api.stop());

const interfaces = {
  management: {
    base: () => api.base,
    credential: () => api.managementToken,
    offers: (row: Route) => !row.dashboardOnly,
  },
  dashboard: {
    base: () => `/api/workspaces/${api.workspaceId}`,
    credential: () => owner.sessionToken,
    offers: (row: Route) => !portalRoutes.includes(row),
  },
  portal: {
    base: () => '/api/portal',
    credential: () => portalToken,
    offers: (row: Route) => row.capability !== undefined,
  },
};

type InterfaceName = keyof typeof interfaces;
type Case = { name: string; at: InterfaceName; row: Route };

const cases: Case[] = (['management', 'dashboard', 'portal'] as const).flatMap((at) =>
  [...(at === 'portal' ? portalRoutes : []), ...routes]
    .filter((row) => interfaces[at].offers(row))
    .map((row) => ({ name: `${at}: ${row.method.toUpperCase()} ${row.path}`, at, row })),
);
const withParameters = cases.filter(({ row }) => row.path.includes('{'));

describe('every row at every interface', () => {
  test.each(cases)('$name is 401 without a credential, with a broken one and with one of another kind', async (one) => {
    const { credential } = interfaces[one.at];
    const unknown = newToken(one.at === 'dashboard' ? 'session' : one.at);
    const wrongKinds = [api.managementToken, owner.sessionToken, portalToken, api.apiKey];
    const wrong = wrongKinds.filter((token) => token !== credential()).map((token) => `Bearer ${token}`);
    const broken = [
      '',
      'Bearer',
      `Basic ${credential()}`,
      `Bearer ${credential()}x`,
      `Bearer ${unknown}`,
      credential(),
    ];
    for (const authorization of [undefined, ...broken, ...wrong]) {
      const reply = await send(one, fill(one.row, own), authorization);
      expect([reply.status, reply.text]).toEqual([401, expect.stringContaining(UNAUTHORIZED)]);
    }
  });

  test.each(withParameters)(
    '$name answers another workspace’s id with the same bytes as a missing one',
    async (one) => {
      const authorization = `Bearer ${interfaces[one.at].credential()}`;
      const count = parameterNames(one.row.path).length;
      for (let index = 0; index < count; index += 1) {
        const missing = await send(one, fill(one.row, own, { index, id: missingId }), authorization);
        const others = await send(one, fill(one.row, own, { index, id: (name) => foreign[name] }), authorization);
        // A delivery is answered under any endpoint id, and an upsert takes no id.
        const found = one.row.operationId === 'getEndpointDelivery' && index === 0 ? 200 : 404;
        const status = one.row.upserts ? 400 : found;
        expect(missing.status).toBe(status);
        expect([others.status, others.text]).toEqual([missing.status, missing.text]);
        for (const malformed of ['nonsense', 'ep_', '%00', '%F0%9F%98%80', 'x'.repeat(2_000), "'--", '..%2f..']) {
          const reply = await send(one, fill(one.row, own, { index, id: () => malformed }), authorization);
          expect([reply.status, reply.text]).toEqual([status, missing.text]);
        }
      }
    },
  );

  test.each(cases.filter(({ at }) => at !== 'portal'))(
    '$name answers another workspace like one that does not exist',
    async (one) => {
      const authorization = `Bearer ${interfaces[one.at].credential()}`;
      const root = one.at === 'management' ? '/management/v1/workspaces' : '/api/workspaces';
      const path = fill(one.row, own);
      for (const id of [foreign.workspaces, toId('ws', newUuid(new Date())), 'ws_1', 'nonsense', api.environmentId]) {
        const reply = await send(one, path, authorization, `${root}/${id}`);
        expect([reply.status, reply.text]).toEqual([404, WORKSPACE_NOT_FOUND]);
      }
    },
  );

  test.each(cases)('$name answers other methods with 405, and names the allowed ones', async (one) => {
    const taken = cases
      .filter(({ at, row }) => at === one.at && shapeOf(row.path) === shapeOf(one.row.path))
      .map(({ row }) => row.method.toUpperCase());
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((name) => !taken.includes(name))) {
      const reply = await send(one, fill(one.row, own), undefined, undefined, method);
      expect([reply.status, reply.body.error?.code]).toEqual([405, 'method_not_allowed']);
      expect(
        reply.headers.allow
          ?.split(', ')
          .filter((name: string) => name !== 'HEAD')
          .sort(),
      ).toEqual(taken.sort());
    }
  });
});

describe('the interfaces', () => {
  test.each(['/', '/management/v1/workspaces', '/api/portal', '/api/portal/members', '/api/nothing', '/%ff', '/.git'])(
    'an unknown path is a JSON 404 for every caller: %s',
    async (path) => {
      for (const token of [undefined, api.managementToken, owner.sessionToken, portalToken]) {
        const call = request(api.app).get(path);
        const reply = await (token === undefined ? call : call.set('authorization', `Bearer ${token}`));
        expect([reply.status, reply.body]).toEqual([404, { error: { code: 'not_found', message: 'Route not found' } }]);
        expect(reply.headers['x-request-id']).toBeTruthy();
      }
    },
  );

  test('a list is the same through the management token and the session', async () => {
    const lists = routes.filter(
      (row) => row.method === 'get' && !row.path.includes('{') && !row.dashboardOnly && !row.streams,
    );
    expect(lists.length).toBeGreaterThan(2);
    for (const row of lists) {
      const [viaToken, viaSession] = await Promise.all(
        (['management', 'dashboard'] as const).map((at) =>
          send({ name: '', at, row }, row.path, `Bearer ${interfaces[at].credential()}`),
        ),
      );
      expect([viaToken?.status, viaToken?.text]).toEqual([200, viaSession?.text]);
    }
  });

  test('the portal has the paths of the interface, and no other', () => {
    const offered = cases.filter(({ at }) => at === 'portal').map(({ row }) => `${row.method} ${shapeOf(row.path)}`);
    expect(offered.sort()).toEqual(PORTAL_OPERATIONS.toSorted());
  });

  test('ingestion takes an API key and no other kind', async () => {
    for (const path of ['/api/ingest/event/seeded.type', `/api/ingest/${own.endpoints}`]) {
      for (const token of [api.managementToken, owner.sessionToken, portalToken, newToken('apiKey'), 'phk_broken']) {
        const header = await request(api.app).post(path).set('authorization', `Bearer ${token}`).send({});
        const ownHeader = await request(api.app).post(path).set('x-api-key', token).send({});
        expect(header.text).toContain(UNAUTHORIZED);
        expect(ownHeader.text).toContain(UNAUTHORIZED);
      }
      expect((await request(api.app).post(path).set('x-api-key', api.apiKey).send({})).status).toBe(202);
    }
  });

  test.each([
    ['a-sane.ID_1:2', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['with space', false],
    ['<script>', false],
    ['', false],
  ])('the request id %j is echoed: %s', async (given, echoed) => {
    for (const path of ['/api/nothing', `${api.base}/environments`, '/api/portal/session', '/healthz']) {
      const reply = await request(api.app).get(path).set('x-request-id', given);
      expect(reply.headers['x-request-id'] === given).toBe(echoed);
      expect(reply.headers['x-request-id']).toMatch(/^[\w.:-]+$/);
    }
  });

  test('only a Bearer scheme in any case is a credential', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      const reply = await request(api.app)
        .get(`${api.base}/environments`)
        .set('authorization', `${scheme} ${api.managementToken}`);
      expect(reply.status).toBe(200);
    }
  });

  test.each(accountRoutes.filter((row) => row.needsSession))('$method $path needs a session', async (row) => {
    for (const token of [undefined, 'phs_broken', newToken('session'), api.managementToken, api.apiKey, portalToken]) {
      const call = request(api.app)[row.method](`/api${row.path}`);
      const reply = await (token === undefined ? call : call.set('authorization', `Bearer ${token}`));
      expect([reply.status, reply.text]).toEqual([401, expect.stringContaining(UNAUTHORIZED)]);
    }
  });
});

const withoutBody = cases.filter(({ row }) => row.body === undefined && ['post', 'put', 'patch'].includes(row.method));

test.each(withoutBody)('$name, which takes no body, refuses one that is not JSON', async ({ at, row }) => {
  const { base, credential } = interfaces[at];
  const send = (type: string, body: string, encoding = 'identity') =>
    request(api.app)
      [row.method](base() + fill(row, own))
      .set('authorization', `Bearer ${credential()}`)
      .set({ 'content-type': type, 'content-encoding': encoding })
      .send(body)
      .then(({ status, body }) => [status, body.error?.code]);
  expect(await send('text/plain', 'hello')).toEqual([415, 'unsupported_media_type']);
  expect(await send('application/json', '{}', 'gzip')).toEqual([415, 'unsupported_media_type']);
  expect(await send('application/json', '{')).toEqual([400, 'validation_error']);
  expect(await send('application/json', `"${'x'.repeat(262_144)}"`)).toEqual([413, 'payload_too_large']);
});

test('a session can be ended without a body, and not with one that is no JSON', async () => {
  const { sessionToken } = await seedPerson(api.db, { workspaceId: api.workspaceId, role: 'viewer' });
  const [row] = accountRoutes.filter(({ method, body }) => method === 'post' && body === undefined);
  const end = () => request(api.app).post(`/api${row?.path}`).set('authorization', `Bearer ${sessionToken}`);
  expect((await end().set('content-type', 'text/plain').send('hello')).status).toBe(415);
  expect((await end()).status).toBe(204);
});

test('role and scope are checked before any look-up', async () => {
  const viewer = await seedPerson(api.db, { workspaceId: api.workspaceId, role: 'viewer' });
  const reader = await api.seedAnother({ scopes: ['read'] });
  // Every row that changes something: a viewer may use the others.
  for (const row of routes.filter((one) => one.role !== 'viewer')) {
    const path = fill(row, own);
    const call = { name: '', at: 'dashboard', row } as const;
    expect((await send(call, path, `Bearer ${viewer.sessionToken}`)).body.error?.code).toBe('forbidden');
    if (row.dashboardOnly) continue;
    const base = `/management/v1/workspaces/${reader.workspaceId}`;
    expect((await send(call, path, `Bearer ${reader.managementToken}`, base)).body.error?.code).toBe('forbidden');
  }
});

/** The beginning of the answer: the rest says what is wrong with the credential. */
const UNAUTHORIZED = '{"error":{"code":"unauthorized","message":"Missing or invalid authorization header: ';
const WORKSPACE_NOT_FOUND = '{"error":{"code":"not_found","message":"Workspace not found"}}';
const PORTAL_OPERATIONS = [
  'delete /agent-keys/{}',
  'delete /agent-subscriptions/{}',
  'get /agent-keys',
  'get /agent-subscriptions',
  'get /agent-subscriptions/{}',
  'post /agent-keys',
  'get /endpoints/{}/pull-keys',
  'post /endpoints/{}/pull-keys',
  'delete /endpoints/{}/pull-keys/{}',
  'get /alert-rules',
  'post /alert-rules',
  'get /alert-rules/{}',
  'patch /alert-rules/{}',
  'delete /alert-rules/{}',
  'post /alert-rules/{}/test',
  'get /session',
  'get /stats',
  'get /live',
  'get /event-types',
  'get /catalog',
  'get /catalog/{}',
  'get /catalog/openapi.json',
  'get /audit-logs',
  'get /endpoint-types',
  'get /endpoints',
  'post /endpoints',
  'get /endpoints/{}',
  'patch /endpoints/{}',
  'delete /endpoints/{}',
  'get /endpoints/{}/subscriptions',
  'post /endpoints/{}/subscriptions',
  'patch /endpoints/{}/subscriptions/{}',
  'post /filters/test',
  'post /transformations/test',
  'delete /endpoints/{}/subscriptions/{}',
  'post /endpoints/{}/secret/rotate',
  'post /endpoints/{}/test',
  'post /endpoints/{}/doctor',
  'get /endpoints/{}/deliveries',
  'get /deliveries/{}',
  'get /deliveries/{}/attempts',
  'post /deliveries/{}/retry',
  'post /endpoints/{}/recover',
  'get /operations',
  'get /operations/{}',
  'get /events',
  'post /events/search',
  'get /events/{}',
  'get /events/{}/deliveries',
];

type Things = Record<Noun, string>;

/** A valid body, for rows that would refuse an empty one before the look-up. */
function bodyOf(row: Route): object {
  if (row.path.endsWith('/recover')) return { since: new Date(Date.now() - 3_600_000).toISOString(), mode: 'failed' };
  if (row.path.endsWith('/visibility')) return { published: true };
  if (row.path.endsWith('/subscriptions')) return { eventTypeIds: [own['event-types']] };
  if (row.operationId === 'updateSubscription') return { filter: null };
  if (row.path.endsWith('/endpoints')) return { url: 'https://127.0.0.1/hook' };
  if (row.path.endsWith('/api-keys')) return { name: 'Key' };
  if (row.path.endsWith('/seek')) return { topic: 'seeded', offset: 0 };
  return {};
}

function send(one: Case, path: string, authorization?: string, base = interfaces[one.at].base(), method?: string) {
  const verb = (method ?? one.row.method).toLowerCase() as Route['method'];
  const call = request(api.app)[verb](`${base}${path}`);
  if (authorization !== undefined) call.set('authorization', authorization);
  return one.row.body === undefined ? call : call.send(bodyOf(one.row));
}

type Replaced = { index: number; id: (noun: Noun) => string };

/** The row's path with ids of the caller's workspace, one of them replaced. */
function fill(row: Route, things: Things, replaced?: Replaced): string {
  let index = -1;
  return row.path.replaceAll(/([\w-]+)\/\{\w+\}/g, (_match, segment: string) => {
    index += 1;
    const noun = nounOf(segment, row.path);
    return `${segment}/${index === replaced?.index ? replaced.id(noun) : things[noun]}`;
  });
}

function parameterNames(path: string): string[] {
  return path.match(/\{\w+\}/g) ?? [];
}

function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

/** Inserts one resource of each kind directly into the tables. */
async function seedThings({ workspaceId, environmentId }: SeededWorkspace): Promise<Things> {
  const { db } = api;
  const workspace = { workspaceId: uuidOf('ws', workspaceId) };
  const environment = uuidOf('env', environmentId);
  const [eventTypeId, endpointId] = [newUuid(new Date()), newUuid(new Date())];
  const [deliveryId, eventId] = [newUuid(new Date()), newUuid(new Date())];
  await db.eventType.create({ data: { id: eventTypeId, name: 'seeded.type', ...workspace } });
  const person = await seedPerson(db, { workspaceId, role: 'member' });
  const portal = await seedPortal(db, { workspaceId, environmentId });
  const placed = { ...workspace, environmentId: environment };
  const applicationId = uuidOf('app', portal.applicationId);
  await db.endpoint.create({ data: { id: endpointId, url: 'https://127.0.0.1/', applicationId, ...placed } });
  await db.subscription.create({ data: { id: newUuid(new Date()), endpointId, eventTypeId } });
  await db.delivery.create({
    data: { id: deliveryId, eventId, endpointId, status: 'failed', ...placed },
  });
  const operationId = newUuid(new Date());
  const operation = { type: 'recovery', filter: {}, scope: {}, endpointId, ...workspace } as const;
  await db.operation.create({ data: { id: operationId, ...operation } });
  await db.event.create({ data: { id: eventId, applicationId, payloadSize: 0, published: true, ...placed } });
  const sourceId = newUuid(new Date());
  const config = { brokers: ['127.0.0.1:9092'], topics: ['seeded'], eventType: { fixed: 'seeded.type' } };
  const made = { name: '', type: 'kafka', config, isActive: false, createdAt: new Date(), updatedAt: new Date() };
  await db.source.create({ data: { id: sourceId, ...made, ...placed } });
  const ruleId = newUuid(new Date());
  const target = { channel: 'slack', targetSealed: new Uint8Array(), targetShown: 'https://hooks.slack.com/…' };
  const about = { applicationId, environmentId: environment, isOfPortal: true, quietMinutes: 60 };
  await db.alertRule.create({ data: { id: ruleId, name: '', events: [], ...target, ...about, ...workspace } });
  const targetId = newUuid(new Date());
  await db.environment.create({ data: { id: targetId, name: 'Target', slug: 'target', ...workspace } });
  const session = await db.session.findFirstOrThrow({ where: { userId: uuidOf('usr', person.userId) } });
  const passkeyId = newUuid(new Date());
  const signed = { credentialId: passkeyId, publicKey: new Uint8Array(), counter: 0 };
  await db.passkey.create({ data: { id: passkeyId, userId: uuidOf('usr', person.userId), name: '', ...signed } });
  const key = await db.apiKey.findFirstOrThrow({ where: { environmentId: environment } });
  const token = await db.managementToken.findFirstOrThrow({ where: workspace });
  const pullKey = await insertPullKey({ clock: systemClock }, db, { endpointId, name: '', expiresAt: null });
  const agentKeyId = newUuid(new Date());
  const agentKey = {
    name: '',
    preview: '',
    digest: new Uint8Array(randomBytes(32)),
    expiresAt: new Date(Date.now() + 60_000),
  };
  await db.agentKey.create({ data: { id: agentKeyId, ...agentKey, ...placed, applicationId } });
  const identity = `mcs_${toId('ep', endpointId).slice(-26)}`;
  const subscribed = {
    identity,
    principal: 'key:1',
    eventTypeId,
    eventType: 'seeded.type',
    arguments: {},
    dialect: 'sketch',
  };
  const lives = { url: 'https://127.0.0.1/', expiresAt: new Date(Date.now() + 60_000) };
  await db.agentSubscription.create({ data: { endpointId, ...subscribed, ...lives, ...placed, applicationId } });
  return {
    workspaces: workspaceId,
    environments: environmentId,
    diff: toId('env', targetId),
    promote: toId('env', targetId),
    'event-types': toId('evt', eventTypeId),
    subscriptions: toId('evt', eventTypeId),
    catalog: toId('evt', eventTypeId),
    endpoints: toId('ep', endpointId),
    deliveries: toId('dlv', deliveryId),
    events: toId('msg', eventId),
    applications: portal.applicationId,
    'api-keys': toId('key', key.id),
    'pull-keys': toId('plk', pullKey.row.id),
    'agent-keys': toId('agk', agentKeyId),
    'agent-subscriptions': identity,
    'management-tokens': toId('tok', token.id),
    members: person.userId,
    sessions: toId('ses', session.id),
    'portal-sessions': portal.portalSessionId,
    operations: toId('op', operationId),
    'alert-rules': toId('alr', ruleId),
    sources: toId('src', sourceId),
    passkeys: toId('psk', passkeyId),
  };
}
