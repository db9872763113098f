import { createHash } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import { verifyAuditChains } from '@posthorn/db/audit-chain';
import { insertDelivery } from '@posthorn/testkit/delivery-rows';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, tally } from '../../test/caller.ts';
import { seedPerson, seedPortal, uuidOf } from '../../test/people.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
let endpointId: string;
let deliveryId: string;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = callerOf(workspace);
  endpointId = (await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body.id;
  deliveryId = await send(BODY);
});

const BODY = '{"data": 1.0}';
const callerOf = ({ workspaceId, managementToken: token }: SeededWorkspace) =>
  createCaller(api.app, { base: `/management/v1/workspaces/${workspaceId}`, token });
const send = async (body: string) => {
  const call = request(api.app).post(`/api/ingest/${endpointId}`).set('x-api-key', workspace.apiKey);
  return (await call.set('content-type', 'application/json').send(body)).body.deliveryId;
};
const actions = async () =>
  (await call('get', '/audit-logs')).body.data.map((one: { action: string; resourceId: string }) => [
    one.action,
    one.resourceId,
  ]);
/** Sets columns as the dispatcher would. */
const settle = (columns: object) =>
  api.db.delivery.update({ where: { id: uuidOf('dlv', deliveryId) }, data: { dueAt: null, ...columns } });

test('a dry run counts every event type, also one with the name of a property that objects have', async () => {
  const place = {
    workspaceId: uuidOf('ws', workspace.workspaceId),
    environmentId: uuidOf('env', workspace.environmentId),
  };
  for (const eventType of ['__proto__', '__proto__', 'constructor', 'order.created']) {
    await insertDelivery(
      api.db,
      { ...place, endpointId: uuidOf('ep', endpointId) },
      { status: 'failed', dueInSeconds: null, eventType },
    );
  }
  const reply = await call('post', '/deliveries/retry', { filter: { status: 'failed' }, dryRun: true });
  expect(Object.entries(JSON.parse(reply.text).eventTypes).sort()).toEqual([
    ['__proto__', 2],
    ['constructor', 1],
    ['order.created', 1],
  ]);
});

test('a bulk concerns all endpoints that exist, and of the deleted ones those that have a delivery in its range', async () => {
  const without = (await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body.id;
  const deleted = (await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body.id;
  const place = {
    workspaceId: uuidOf('ws', workspace.workspaceId),
    environmentId: uuidOf('env', workspace.environmentId),
  };
  const failed = { status: 'failed', dueInSeconds: null } as const;
  await insertDelivery(api.db, { ...place, endpointId: uuidOf('ep', deleted) }, failed);
  await call('delete', `/endpoints/${deleted}`);
  await api.db.$executeRaw`
    insert into endpoint (id, workspace_id, environment_id, url, deleted_at)
    select gen_random_uuid(), ${place.workspaceId}::uuid, ${place.environmentId}::uuid, 'https://127.0.0.1/', now()
    from generate_series(1, 300)`;
  await settle({ status: 'failed' });
  const partsOf = async (filter: object) => {
    const operation = await call('post', '/deliveries/retry', { filter });
    expect(operation.status).toBe(202);
    const parts = await api.db.operationPart.findMany({ where: { operationId: uuidOf('op', operation.body.id) } });
    return parts.map((part) => toId('ep', part.endpointId)).sort();
  };
  // An event of the range may still be fanned out to an endpoint without a delivery.
  expect(await partsOf({ status: 'failed' })).toEqual([endpointId, without, deleted].sort());
  expect(await partsOf({ to: new Date(Date.now() - 60_000).toISOString() })).toEqual([endpointId, without].sort());
  expect(await partsOf({ endpoint_id: without })).toEqual([without]);
});

describe('the payload', () => {
  test('is shown as ingested to callers with the right to see it, and the view is in the audit log', async () => {
    const reply = await call('get', `/deliveries/${deliveryId}?include=payload`);
    expect(reply.body.payload).toEqual({
      status: 'available',
      contentType: 'application/json',
      encoding: 'utf8',
      size: BODY.length,
      sha256: createHash('sha256').update(BODY).digest('hex'),
      body: BODY,
    });
    expect((await actions())[0]).toEqual(['payload.viewed', deliveryId]);
  });

  test('without include, or when the payload is not shown, there is no audit entry', async () => {
    await call('get', `/deliveries/${deliveryId}`);
    await call('get', `/deliveries/${deliveryId}?include=attempts`);
    const { sessionToken } = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'viewer' });
    const viewer = createCaller(api.app, { base: `/api/workspaces/${workspace.workspaceId}`, token: sessionToken });
    const reply = await viewer('get', `/deliveries/${deliveryId}?include=payload`);
    expect([reply.status, reply.body.payload.status, reply.body.payload.body]).toEqual([200, 'forbidden', null]);
    expect((await actions()).flat()).not.toContain('payload.viewed');
  });

  test('of an empty body is null, with the status not_stored', async () => {
    deliveryId = await send('');
    const reply = await call('get', `/endpoints/${endpointId}/deliveries/${deliveryId}?include=payload,attempts`);
    expect(reply.body).toMatchObject({
      hasPayload: false,
      payload: { status: 'not_stored', body: null },
      attempts: [],
    });
  });

  test.each(['include=body', 'include=payload,', 'include=', 'include=payload&include=attempts'])(
    '%s is refused',
    async (query) => {
      const { error } = (await call('get', `/deliveries/${deliveryId}?${query}`)).body;
      expect([error.code, error.message]).toEqual(['validation_error', expect.stringMatching(/^include must be /)]);
    },
  );
});

describe('a view of the payload has an audit entry', () => {
  const HOUR_MS = 3_600_000;
  const views = () =>
    api.db.auditEntry.findMany({
      where: { workspaceId: uuidOf('ws', workspace.workspaceId), action: 'payload.viewed' },
      orderBy: { sequence: 'asc' },
    });
  const view = (as: Caller = call) => as('get', `/deliveries/${deliveryId}?include=payload`).expect(200);

  test('once an hour for each actor and delivery, even when many views arrive at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => view()));
    await view();
    expect(await views()).toHaveLength(1);
    const { sessionToken } = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'member' });
    const member = createCaller(api.app, { base: `/api/workspaces/${workspace.workspaceId}`, token: sessionToken });
    await Promise.all([view(member), view(member)]);
    expect((await views()).map(({ actorType }) => actorType)).toEqual(['management_token', 'user']);
    deliveryId = await send(BODY);
    await view();
    expect((await views()).map(({ resourceId }) => resourceId)).toContain(deliveryId);
    expect(await views()).toHaveLength(3);
    for await (const { workspaceId, firstBreak } of verifyAuditChains(api.db)) {
      if (workspaceId === uuidOf('ws', workspace.workspaceId)) expect(firstBreak).toBeNull();
    }
  });

  test('again after an hour, and not before', async () => {
    const { clock } = api.services;
    let aheadMs = 0;
    api.services.clock = { ...clock, now: () => new Date(clock.now().getTime() + aheadMs) };
    try {
      await view();
      aheadMs = HOUR_MS - 60_000;
      await view();
      expect(await views()).toHaveLength(1);
      aheadMs = HOUR_MS + 60_000;
      await view();
      expect(await views()).toHaveLength(2);
    } finally {
      api.services.clock = clock;
    }
  });
});

describe('a retry', () => {
  test('makes any ended delivery due again, keeps its first times, and is in the audit log', async () => {
    const at = new Date('2026-11-21T09:30:00.000Z');
    for (const status of ['failed', 'dead_letter', 'delivered', 'scheduled_retry'] as const) {
      await settle({ status, totalAttempts: 3, firstAttemptAt: at, deliveredAt: at, failureReason: null });
      const reply = await call('post', `/deliveries/${deliveryId}/retry`);
      expect([reply.status, reply.body]).toEqual([
        202,
        expect.objectContaining({
          id: deliveryId,
          status: 'pending',
          totalAttempts: 3,
          failureReason: null,
          firstAttemptAt: at.toISOString(),
          deliveredAt: at.toISOString(),
          nextRetryAt: expect.any(String),
        }),
      ]);
      expect((await actions())[0]).toEqual(['delivery.retried', deliveryId]);
    }
  });

  test('is refused while it is being delivered, and when its payload has been deleted', async () => {
    await settle({ status: 'delivering', dueAt: new Date(Date.now() + 60_000) });
    expect(codeOf(await call('post', `/deliveries/${deliveryId}/retry`))).toBe('delivery_in_progress');
    await settle({ status: 'failed' });
    await api.db.event.deleteMany({ where: { workspaceId: uuidOf('ws', workspace.workspaceId) } });
    const reply = await call('post', `/deliveries/${deliveryId}/retry`);
    expect([reply.status, codeOf(reply)]).toEqual([410, 'payload_expired']);
  });

  test('many at once are all answered, and the delivery is due once', async () => {
    await settle({ status: 'failed' });
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => call('post', `/deliveries/${deliveryId}/retry`)),
    );
    expect(tally(replies.map(codeOf))).toEqual({ 202: 20 });
    expect((await call('get', `/deliveries/${deliveryId}`)).body.status).toBe('pending');
  });
});

describe('a cancel', () => {
  test('ends a delivery that is pending or scheduled, and is in the audit log', async () => {
    for (const status of ['pending', 'scheduled_retry'] as const) {
      await settle({ status, dueAt: new Date(), failureReason: null });
      const reply = await call('post', `/deliveries/${deliveryId}/cancel`);
      const ended = { id: deliveryId, status: 'failed', failureReason: 'cancelled', nextRetryAt: null };
      expect([reply.status, reply.body]).toEqual([200, expect.objectContaining(ended)]);
      expect((await actions())[0]).toEqual(['delivery.cancelled', deliveryId]);
    }
  });

  test('is refused while the delivery is being delivered, and once it has ended', async () => {
    await settle({ status: 'delivering', leasedUntil: new Date(Date.now() + 60_000) });
    expect(codeOf(await call('post', `/deliveries/${deliveryId}/cancel`))).toBe('delivery_in_progress');
    for (const status of ['delivered', 'failed', 'dead_letter'] as const) {
      await settle({ status });
      const reply = await call('post', `/deliveries/${deliveryId}/cancel`);
      expect([reply.status, codeOf(reply)]).toEqual([409, 'not_cancellable']);
    }
    expect((await actions()).flat()).not.toContain('delivery.cancelled');
  });

  test('of many at once, one cancels', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => call('post', `/deliveries/${deliveryId}/cancel`)),
    );
    expect(tally(replies.map(codeOf))).toEqual({ 200: 1, not_cancellable: 9 });
  });
});

test('another workspace’s delivery is answered with the same bytes as a missing one', async () => {
  const other = callerOf(await api.seedAnother());
  const missing = await other('get', `/deliveries/${toId('dlv', newUuid(new Date()))}`);
  expect([missing.status, missing.body.error.message]).toEqual([404, 'Delivery not found']);
  for (const [method, path] of [
    ['get', ''],
    ['get', '?include=payload'],
    ['get', '/attempts'],
    ['post', '/retry'],
    ['post', '/cancel'],
  ] as const) {
    expect((await other(method, `/deliveries/${deliveryId}${path}`)).text).toBe(missing.text);
  }
});

test('a portal reaches its own application’s deliveries, also of a deleted endpoint, and no others', async () => {
  const portal = await seedPortal(api.db, workspace);
  const as = createCaller(api.app, { base: '/api/portal', token: portal.portalToken });
  expect((await as('get', `/deliveries/${deliveryId}`)).status).toBe(404);
  const own = await call('post', `/applications/${portal.applicationId}/endpoints`, { url: 'https://127.0.0.1/' });
  endpointId = own.body.id;
  const ownDelivery = await send(BODY);
  await call('delete', `/endpoints/${endpointId}`);
  const reply = await as('get', `/deliveries/${ownDelivery}?include=payload`);
  expect([reply.status, reply.body.payload.body]).toEqual([200, BODY]);
  expect((await as('get', '/audit-logs')).body.data[0]).toMatchObject({ action: 'payload.viewed' });
});
