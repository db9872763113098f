import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CAPABILITIES, type Capability } from '@posthorn/contract/access';
import { newUuid, toId } from '@posthorn/contract/ids';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type SeededPortal, seedPortal, uuidOf } from '../../test/people.ts';

let api: ApiUnderTest;
let mine: SeededPortal;
let staging: string;

beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  staging = (await manage('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
  mine = await seedPortal(api.db, { ...api, environmentId: staging });
});
afterAll(() => api.stop());

type Method = 'get' | 'post' | 'patch' | 'delete' | 'put';

const manage = (method: Method, path: string, body?: object) =>
  request(api.app)[method](`${api.base}${path}`).set('authorization', `Bearer ${api.managementToken}`).send(body);
const visit = (method: Method, path: string, body?: object, token = mine.portalToken) =>
  request(api.app)[method](`/api/portal${path}`).set('authorization', `Bearer ${token}`).send(body);
const sessionWith = (capabilities: readonly Capability[], environmentId = staging) =>
  seedPortal(api.db, { ...api, environmentId, applicationId: mine.applicationId, capabilities });
const newEndpoint = async () => (await visit('post', '/endpoints', { url: 'https://127.0.0.1/hook' })).body;

async function newDelivery(endpointId: string, environmentId = staging): Promise<string> {
  const id = newUuid(new Date());
  await api.db.delivery.create({
    data: {
      id,
      eventId: newUuid(new Date()),
      endpointId: uuidOf('ep', endpointId),
      workspaceId: uuidOf('ws', api.workspaceId),
      environmentId: uuidOf('env', environmentId),
      status: 'failed',
      failureReason: 'gone',
    },
  });
  return toId('dlv', id);
}

test('a session of an application whose metadata have U+0000 works like any other', async () => {
  const metadata = { note: 'a\u0000b' };
  const { body } = await manage('post', '/applications', { name: 'Customer', metadata });
  const { portalToken } = await seedPortal(api.db, { ...api, environmentId: staging, applicationId: body.id });
  expect((await visit('get', '/session', undefined, portalToken)).status).toBe(200);
});

describe('a recovery in the portal', () => {
  const body = { since: new Date(Date.now() - 3_600_000).toISOString(), mode: 'failed' };

  test('reaches its own endpoints and operations, and no others', async () => {
    const { id } = await newEndpoint();
    await newDelivery(id);
    const dry = await visit('post', `/endpoints/${id}/recover`, { ...body, dryRun: true });
    expect([dry.status, dry.body.matched]).toEqual([200, 1]);
    const started = await visit('post', `/endpoints/${id}/recover`, body);
    expect([started.status, started.body.endpointId]).toEqual([202, id]);
    expect((await visit('get', `/operations/${started.body.id}`)).body).toMatchObject({ id: started.body.id });
    expect((await visit('get', '/audit-logs')).body.data[0]).toMatchObject({ action: 'recovery.started' });

    const other = await manage('post', '/endpoints', { url: 'https://127.0.0.1/hook' });
    const foreign = await manage('post', `/endpoints/${other.body.id}/recover`, body);
    expect((await visit('post', `/endpoints/${other.body.id}/recover`, body)).status).toBe(404);
    expect((await visit('get', `/operations/${foreign.body.id}`)).status).toBe(404);
    const bulk = await manage('post', '/deliveries/retry', { filter: { status: 'failed' } });
    expect((await visit('get', `/operations/${bulk.body.id}`)).status).toBe(404);

    const listed = async (query = '') => (await visit('get', `/operations${query}`)).body.operations;
    expect(await listed()).toEqual([expect.objectContaining({ id: started.body.id })]);
    expect(await listed(`?endpoint_id=${id}`)).toEqual(await listed());
    expect((await visit('get', `/operations?endpoint_id=${other.body.id}`)).status).toBe(404);
  });

  test('starts while this portal has fewer than 3 open ones, and the workspace has ten of its own', async () => {
    await api.db.operation.deleteMany();
    const { id } = await newEndpoint();
    const other = await manage('post', '/endpoints', { url: 'https://127.0.0.1/hook' });
    expect((await manage('post', `/endpoints/${other.body.id}/recover`, body)).status).toBe(202);
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await visit('post', `/endpoints/${id}/recover`, body)).status);
    expect(statuses).toEqual([202, 202, 202, 409]);
    for (let n = 0; n < 9; n += 1) {
      expect((await manage('post', `/endpoints/${other.body.id}/recover`, body)).status).toBe(202);
    }
    expect((await manage('post', `/endpoints/${id}/recover`, body)).status).toBe(409);
    const { operations } = (await visit('get', '/operations')).body;
    for (const one of operations.slice(0, 1)) {
      expect((await manage('post', `/operations/${one.id}/cancel`)).body).toMatchObject({ status: 'cancelled' });
    }
    expect((await visit('post', `/endpoints/${id}/recover`, body)).status).toBe(202);
  });

  test('needs the capability deliveries:retry, also for a dry run', async () => {
    const { id } = await newEndpoint();
    const { portalToken } = await sessionWith(['endpoints:read', 'deliveries:read']);
    const reply = await visit('post', `/endpoints/${id}/recover`, { ...body, dryRun: true }, portalToken);
    expect(reply.status).toBe(403);
    expect((await visit('get', '/operations', undefined, portalToken)).status).toBe(403);
  });
});

describe('the reach of a portal session', () => {
  test('an endpoint created in the portal belongs to its application and environment', async () => {
    const made = await visit('post', '/endpoints', { url: 'https://127.0.0.1/hook' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ applicationId: mine.applicationId, environmentId: staging });
    expect(made.body.secret).toMatch(/^whsec_/);
    expect((await manage('get', `/endpoints/${made.body.id}`)).body).toEqual(made.body);
  });

  test('its own environment may be named, any other is not_found', async () => {
    const url = 'https://127.0.0.1/hook';
    expect((await visit('post', '/endpoints', { url, environmentId: staging })).status).toBe(201);
    for (const environmentId of [api.environmentId, toId('env', newUuid(new Date())), 'env_1']) {
      const reply = await visit('post', '/endpoints', { url, environmentId });
      expect([reply.status, reply.body.error.message]).toEqual([404, 'Environment not found']);
      expect((await visit('get', `/endpoints?environment_id=${environmentId}`)).status).toBe(404);
    }
  });

  test('endpoints of the workspace, of another application and of another environment are not found', async () => {
    const others = await seedPortal(api.db, { ...api, environmentId: staging });
    const elsewhere = await sessionWith(CAPABILITIES, api.environmentId);
    const url = 'https://127.0.0.1/hook';
    const foreign = [
      (await manage('post', '/endpoints', { url, environmentId: staging })).body.id,
      (await visit('post', '/endpoints', { url }, others.portalToken)).body.id,
      (await visit('post', '/endpoints', { url }, elsewhere.portalToken)).body.id,
    ];
    const listed = (await visit('get', '/endpoints')).body.map((endpoint: { id: string }) => endpoint.id);
    for (const id of foreign) {
      expect(listed).not.toContain(id);
      const replies = await Promise.all([
        visit('get', `/endpoints/${id}`),
        visit('patch', `/endpoints/${id}`, { isActive: false }),
        visit('delete', `/endpoints/${id}`),
        visit('get', `/endpoints/${id}/subscriptions`),
        visit('get', `/endpoints/${id}/deliveries`),
      ]);
      for (const reply of replies)
        expect([reply.status, reply.body.error.message]).toEqual([404, 'Endpoint not found']);
      const delivery = await newDelivery(id);
      for (const path of [`/deliveries/${delivery}`, `/deliveries/${delivery}/attempts`]) {
        expect((await visit('get', path)).body.error.message).toBe('Delivery not found');
      }
      expect((await visit('post', `/deliveries/${delivery}/retry`)).body.error.message).toBe('Delivery not found');
    }
  });

  test('its own deliveries are found, even when their endpoint is deleted', async () => {
    const { id } = await newEndpoint();
    const delivery = await newDelivery(id);
    expect((await visit('get', `/endpoints/${id}/deliveries`)).body.deliveries).toMatchObject([{ id: delivery }]);
    await visit('delete', `/endpoints/${id}`);
    expect((await visit('get', `/deliveries/${delivery}`)).status).toBe(200);
  });

  test('event types are those published in its environment', async () => {
    await manage('post', '/event-types', { name: 'hidden.type', publishIn: [api.environmentId] });
    const shown = (await manage('post', '/event-types', { name: 'shown.type', publishIn: [staging] })).body;
    expect((await visit('get', '/event-types')).body).toEqual([shown]);
  });

  test('it may subscribe and unsubscribe its own endpoints', async () => {
    const { id } = await newEndpoint();
    const { body: type } = await manage('post', '/event-types', { name: 'wanted.type', publishIn: [staging] });
    const subscribed = await visit('post', `/endpoints/${id}/subscriptions`, { eventTypeIds: [type.id] });
    expect(subscribed.body).toEqual({ subscribed: 1 });
    expect((await visit('get', `/endpoints/${id}/subscriptions`)).body).toMatchObject([{ eventTypeId: type.id }]);
    expect((await visit('delete', `/endpoints/${id}/subscriptions/${type.id}`)).status).toBe(204);
  });

  test('it cannot subscribe to a type that is not published in its environment: not_found, and nothing changes', async () => {
    const { id } = await newEndpoint();
    const { body: known } = await manage('post', '/event-types', { name: 'known.type', publishIn: [staging] });
    const { body: hidden } = await manage('post', '/event-types', {
      name: 'elsewhere.type',
      publishIn: [api.environmentId],
    });
    for (const eventTypeId of [hidden.id, toId('evt', newUuid(new Date()))]) {
      const reply = await visit('post', `/endpoints/${id}/subscriptions`, { eventTypeIds: [known.id, eventTypeId] });
      expect([reply.status, reply.body.error.message]).toEqual([404, 'Event type not found']);
    }
    expect((await visit('get', `/endpoints/${id}/subscriptions`)).body).toEqual([]);
    const byOperator = await manage('post', `/endpoints/${id}/subscriptions`, { eventTypeIds: [hidden.id] });
    expect(byOperator.body).toEqual({ subscribed: 1 });
  });

  test('no endpoint gets an operational event type by its id, neither by a subscription nor by a test', async () => {
    const { id } = await newEndpoint();
    const eventTypeId = newUuid(new Date());
    const workspaceId = uuidOf('ws', api.workspaceId);
    await api.db.eventType.create({ data: { id: eventTypeId, workspaceId, name: 'posthorn.delivery.failed' } });
    await api.db.publishedEventType.create({ data: { environmentId: uuidOf('env', staging), eventTypeId } });
    const operational = toId('evt', eventTypeId);
    const subscribed = await visit('post', `/endpoints/${id}/subscriptions`, { eventTypeIds: [operational] });
    const tested = await visit('post', `/endpoints/${id}/test`, { eventTypeId: operational });
    expect([subscribed.status, subscribed.body.error.code]).toEqual([400, 'validation_error']);
    expect([tested.status, tested.body.error.message]).toEqual([404, 'Event type not found']);
  });

  test('no answer tells an event type that its environment does not show from one that does not exist', async () => {
    const { id } = await newEndpoint();
    const elsewhere = await manage('post', '/event-types', { name: 'secret.type', publishIn: [api.environmentId] });
    const operational = await manage('post', '/event-types', {
      name: 'posthorn.endpoint.failing',
      publishIn: [staging],
    });
    const unknown = toId('evt', newUuid(new Date()));
    for (const ask of [
      (type: string) => visit('get', `/endpoints?event_type_id=${type}`),
      (type: string) => visit('get', `/catalog/${type}`),
      (type: string) => visit('delete', `/endpoints/${id}/subscriptions/${type}`),
      (type: string) => visit('patch', `/endpoints/${id}/subscriptions/${type}`, { filter: null }),
      (type: string) => visit('post', `/endpoints/${id}/test`, { eventTypeId: type }),
    ]) {
      const missing = await ask(unknown);
      expect([missing.status, missing.body.error.message]).toEqual([404, 'Event type not found']);
      for (const { body } of [elsewhere, operational]) expect((await ask(body.id)).text).toBe(missing.text);
    }
  });

  test('it may unsubscribe from a type that is not published any more', async () => {
    const { id } = await newEndpoint();
    const { body: type } = await manage('post', '/event-types', { name: 'former.type', publishIn: [staging] });
    await visit('post', `/endpoints/${id}/subscriptions`, { eventTypeIds: [type.id] });
    await manage('put', `/environments/${staging}/event-types/${type.id}/visibility`, { published: false });
    expect((await visit('patch', `/endpoints/${id}/subscriptions/${type.id}`, { filter: { n: 1 } })).status).toBe(200);
    expect((await visit('delete', `/endpoints/${id}/subscriptions/${type.id}`)).status).toBe(204);
  });

  test('the session can be read', async () => {
    expect((await visit('get', '/session')).body).toEqual({
      id: mine.portalSessionId,
      workspaceId: api.workspaceId,
      applicationId: mine.applicationId,
      applicationName: 'Customer',
      environmentId: staging,
      environmentName: 'Staging',
      capabilities: CAPABILITIES,
      theme: null,
      locale: 'en',
      returnUrl: null,
      portalOrigins: [],
      portalTerms: { event: 'Message' },
      sendsMail: false,
      agentsUrl: null,
      agentsIssuer: null,
      expiresAt: expect.any(String),
      createdAt: expect.any(String),
    });
  });

  test.each([
    '/environments',
    '/applications',
    '/members',
    '/endpoints/x/deliveries/y',
    '/deliveries',
    '/events/x/trace',
  ])('the portal has no %s', async (path) => {
    const reply = await visit('get', path);
    expect([reply.status, reply.body.error.message]).toEqual([404, 'Route not found']);
  });
});

describe('capabilities', () => {
  test.each<[Capability, Method, string]>([
    ['endpoints:read', 'get', '/endpoints'],
    ['endpoints:read', 'get', '/endpoints/{endpoint}'],
    ['endpoints:read', 'get', '/endpoints/{endpoint}/subscriptions'],
    ['endpoints:read', 'get', '/event-types'],
    ['endpoints:read', 'get', '/catalog'],
    ['endpoints:read', 'get', '/catalog/openapi.json'],
    ['endpoints:read', 'get', '/audit-logs'],
    ['endpoints:write', 'post', '/endpoints'],
    ['endpoints:write', 'patch', '/endpoints/{endpoint}'],
    ['endpoints:write', 'post', '/endpoints/{endpoint}/subscriptions'],
    ['endpoints:write', 'delete', '/endpoints/{endpoint}/subscriptions/evt_1'],
    ['endpoints:write', 'delete', '/endpoints/{endpoint}'],
    ['secrets:rotate', 'post', '/endpoints/{endpoint}/secret/rotate'],
    ['deliveries:read', 'get', '/endpoints/{endpoint}/deliveries'],
    ['deliveries:read', 'get', '/deliveries/{delivery}'],
    ['deliveries:read', 'get', '/deliveries/{delivery}/attempts'],
    ['deliveries:read', 'get', '/events'],
    ['deliveries:read', 'get', '/events/{event}'],
    ['deliveries:retry', 'post', '/deliveries/{delivery}/retry'],
  ])(
    '%s is the capability that %s %s needs: no other suffices, and it alone does',
    async (needed, method, template) => {
      const { id } = await newEndpoint();
      const path = template.replace('{endpoint}', id).replace('{delivery}', await newDelivery(id));
      const without = await sessionWith(CAPABILITIES.filter((one) => one !== needed));
      const refused = await visit(method, path, {}, without.portalToken);
      expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
      const only = await sessionWith([needed]);
      expect((await visit(method, path, {}, only.portalToken)).status).not.toBe(403);
    },
  );

  test('without secrets:read, no answer shows a secret', async () => {
    const { portalToken } = await sessionWith(CAPABILITIES.filter((one) => one !== 'secrets:read'));
    const url = 'https://127.0.0.1/hook';
    const { body: made } = await visit('post', '/endpoints', { url }, portalToken);
    expect(made.secret).toBeNull();
    const answers = [
      await visit('get', '/endpoints', undefined, portalToken),
      await visit('get', `/endpoints/${made.id}`, undefined, portalToken),
      await visit('patch', `/endpoints/${made.id}`, { description: 'x' }, portalToken),
      await visit('post', `/endpoints/${made.id}/secret/rotate`, {}, portalToken),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain('whsec_');
    }
  });

  test('without payloads:read, the envelope says forbidden, with 200', async () => {
    const { id } = await newEndpoint();
    const path = `/deliveries/${await newDelivery(id)}?include=payload`;
    const { portalToken } = await sessionWith(['deliveries:read']);
    const reply = await visit('get', path, undefined, portalToken);
    expect([reply.status, reply.body.payload.status]).toEqual([200, 'forbidden']);
    expect((await visit('get', path)).body.payload.status).toBe('expired');
  });
});

describe('the audit log of the portal', () => {
  test('has the changes of the application’s endpoints in this environment, and no others', async () => {
    const own = await seedPortal(api.db, { ...api, environmentId: staging });
    const elsewhere = await seedPortal(api.db, { ...api, applicationId: own.applicationId });
    const url = 'https://127.0.0.1/hook';
    const { id } = (await visit('post', '/endpoints', { url }, own.portalToken)).body;
    await visit('post', '/endpoints', { url: 'https://127.0.0.2/elsewhere' }, elsewhere.portalToken);
    await manage('patch', `/endpoints/${id}`, { description: 'by the operator' });
    await newEndpoint();
    const reply = await visit('get', '/audit-logs', undefined, own.portalToken);
    expect(reply.body).toMatchObject({
      data: [
        { action: 'endpoint.updated', resourceId: id, visibility: 'portal', actorType: 'management_token' },
        { action: 'endpoint.created', resourceId: id, actorType: 'portal_session', actorId: own.portalSessionId },
      ],
      total: 2,
      page: 1,
      pageSize: 50,
    });
  });

  test('has no change of another environment, deliveries included', async () => {
    const here = await seedPortal(api.db, { ...api, environmentId: staging });
    const there = await seedPortal(api.db, { ...api, applicationId: here.applicationId });
    const { id } = (await visit('post', '/endpoints', { url: 'https://127.0.0.1/' }, there.portalToken)).body;
    const delivery = await newDelivery(id, api.environmentId);
    expect((await visit('get', '/audit-logs', undefined, there.portalToken)).body.total).toBe(1);
    const event = {
      id: newUuid(new Date()),
      workspaceId: uuidOf('ws', api.workspaceId),
      published: true,
      payloadSize: 0,
    };
    await api.db.event.create({ data: { ...event, environmentId: uuidOf('env', api.environmentId) } });
    await api.db.delivery.update({ where: { id: uuidOf('dlv', delivery) }, data: { eventId: event.id } });
    expect((await visit('post', `/deliveries/${delivery}/retry`, {}, there.portalToken)).status).toBe(202);
    expect((await visit('get', '/audit-logs', undefined, there.portalToken)).body.total).toBe(2);
    expect((await visit('get', '/audit-logs', undefined, here.portalToken)).body).toMatchObject({ data: [], total: 0 });
  });

  test('hides which person of the operator made a change, and from where', async () => {
    const { id } = await newEndpoint();
    await manage('patch', `/endpoints/${id}`, { description: 'again' }).set('user-agent', 'operator-agent');
    const [entry] = (await visit('get', '/audit-logs')).body.data;
    const actor = { actorId: api.workspaceId, actorLabel: 'Acme' };
    expect(entry).toMatchObject({ resourceId: id, ...actor, metadata: { ip: null, userAgent: null } });
  });
});
