import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@posthorn/runtime/clock';
import { waitFor } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { createCaller } from '../../test/caller.ts';
import { fanOutTo } from '../../test/fan-out.ts';
import { seedPortal, uuidOf } from '../../test/people.ts';
import { takeProbes } from '../../test/probe-stand-in.ts';

let api: ApiUnderTest;
let key: string;
let aheadMs = 0;

beforeAll(async () => {
  api = await startApi({
    settings: { MCP_EVENTS: true },
    clock: { ...systemClock, now: () => new Date(Date.now() + aheadMs) },
  });
  const call = createCaller(api.app, { base: api.base, token: api.managementToken });
  await call('put', `/environments/${api.environmentId}/agents`, { enabled: true });
  key = (await call('post', '/agent-keys', { name: 'agent', environmentId: api.environmentId })).body.key;
});
afterAll(() => api.stop());

const SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;

const ask = (method: string, params: object, credential = key) =>
  request(api.app)
    .post(`/mcp/events/${api.environmentId}`)
    .set('authorization', `Bearer ${credential}`)
    .send({ jsonrpc: '2.0', id: 1, method, params });

test('each call that asks for events is counted by its result', async () => {
  expect((await ask('events/list', {})).body.result.events).toEqual([]);
  const delivery = {
    mode: 'webhook',
    url: 'https://agent.test/',
    secret: SECRET,
  };
  expect((await ask('events/subscribe', { name: 'nothing.here', delivery })).body.error.code).toBe(-32_011);
  expect((await ask('events/subscribe', {})).body.error.code).toBe(-32_602);
  expect((await ask('events/unsubscribe', { name: 'nothing.here', delivery })).body.result).toEqual({});
  const { values } = await api.metrics.agentCalls.get();
  expect(values.map(({ labels, value }) => [labels.call, labels.result, value])).toEqual([
    ['list', 'ok', 1],
    ['subscribe', 'not_found', 1],
    ['subscribe', 'invalid', 1],
    ['unsubscribe', 'ok', 1],
  ]);
});

test('a challenge is counted by its result, and the callback is told by its category alone', async () => {
  const type = { name: 'order.shipped', publishIn: [api.environmentId] };
  await createCaller(api.app, { base: api.base, token: api.managementToken })('post', '/event-types', type);
  const replies = [
    { echoed: true, errorCode: null, status: 200 },
    { echoed: false, errorCode: null, status: 503 },
    { echoed: false, errorCode: null, status: 200 },
    { echoed: false, errorCode: 'timeout', status: null },
  ];
  let challenges = 0;
  const dispatcher = takeProbes(
    api,
    async () => undefined,
    () => replies[challenges++],
  );
  const subscribe = async (path: string) => {
    const delivery = { mode: 'webhook', url: `https://agent.test/${path}`, secret: SECRET };
    const { result, error } = (await ask('events/subscribe', { name: 'order.shipped', delivery })).body;
    return result === undefined ? error.data.reason : 'passed';
  };
  const told = [];
  for (const path of ['a', 'b', 'c', 'd']) told.push(await subscribe(path));
  await dispatcher.close();
  expect(told).toEqual(['passed', 'http_5xx', 'challenge_failed', 'timeout']);
  const { values } = await api.metrics.agentChallenges.get();
  expect(values.map(({ labels, value }) => [labels.result, value])).toEqual(told.map((result) => [result, 1]));
});

test('the audit log of a portal names the customer’s agent that subscribed, and hides who has made its key', async () => {
  const operator = createCaller(api.app, { base: api.base, token: api.managementToken });
  const { applicationId, portalToken } = await seedPortal(api.db, api);
  const { environmentId } = api;
  await operator('post', '/event-types', { name: 'order.paid', publishIn: [environmentId] });
  const agent = (await operator('post', '/agent-keys', { name: 'Their agent', environmentId, applicationId })).body;
  const dispatcher = takeProbes(
    api,
    async () => undefined,
    () => ({ echoed: true, errorCode: null, status: 200 }),
  );
  const delivery = { mode: 'webhook', url: 'https://agent.test/theirs', secret: SECRET };
  const made = await ask('events/subscribe', { name: 'order.paid', delivery }, agent.key);
  await dispatcher.close();
  expect(made.body.result).toMatchObject({ id: expect.stringMatching(/^mcs_/) });
  const portal = createCaller(api.app, { base: '/api/portal', token: portalToken });
  const { data } = (await portal('get', '/audit-logs')).body;
  expect(data).toMatchObject([
    { action: 'agent_subscription.created', actorType: 'agent_key', actorId: agent.id, actorLabel: 'Their agent' },
    { action: 'agent_key.created', actorType: 'management_token', actorId: api.workspaceId, metadata: { ip: null } },
  ]);
  expect(data[0].metadata.ip).toContain('127.0.0.1');
});

/** Subscribes a new agent to a new type, and sends one event to it. */
async function agentWithEvent(eventType: string) {
  const operator = createCaller(api.app, { base: api.base, token: api.managementToken });
  const { environmentId } = api;
  await operator('post', '/event-types', { name: eventType, publishIn: [environmentId] });
  const agent = (await operator('post', '/agent-keys', { name: 'Late', environmentId })).body;
  const dispatcher = takeProbes(
    api,
    async () => undefined,
    () => ({ echoed: true, errorCode: null, status: 200 }),
  );
  const delivery = { mode: 'webhook', url: `https://agent.test/${eventType}`, secret: SECRET };
  const made = await ask('events/subscribe', { name: eventType, delivery }, agent.key);
  await dispatcher.close();
  const { endpointId } = await api.db.agentSubscription.findFirstOrThrow({
    where: { identity: made.body.result.id },
  });
  const sent = await request(api.app)
    .post(`/api/ingest/event/${eventType}`)
    .set('authorization', `Bearer ${api.apiKey}`)
    .send({ n: 1 });
  const { id } = sent.body;
  await fanOutTo(api.db, uuidOf('msg', id), [endpointId]);
  const recent = async (given: object = {}) => {
    const { body } = await ask('tools/call', { name: 'recent_events', arguments: given }, agent.key);
    return body.result.structuredContent;
  };
  return { agent, endpointId, id, recent, shown: async () => (await recent()).untrusted.data };
}

test('a tool shows no payload whose retention has ended, also while it is still stored', async () => {
  const { id, shown } = await agentWithEvent('order.kept');
  expect(await shown()).toEqual({ [id]: '{"n":1}' });
  // The installation keeps payloads for seven days.
  aheadMs = 169 * 3_600_000;
  expect(await shown()).toEqual({ [id]: '' });
  aheadMs = 0;
});

test('a tool shows an event that waited for its time when the agent subscribed', async () => {
  const { id, endpointId, recent } = await agentWithEvent('order.scheduled');
  await api.db.$executeRaw`update agent_subscription set created_at = created_at + interval '24 hours'
    where endpoint_id = ${endpointId}::uuid`;
  for (const given of [{}, { event_id: id }]) {
    expect((await recent(given)).events).toEqual([expect.objectContaining({ event_id: id })]);
  }
});

test('payloads shown to an agent are one entry an hour in the audit log, with the environment', async () => {
  const { agent, shown } = await agentWithEvent('order.viewed');
  const views = async () => {
    const where = { actorId: agent.id, action: 'payload.viewed' };
    return (await api.db.auditEntry.findMany({ where })).map(({ resourceId }) => resourceId);
  };
  expect(await views()).toEqual([]);
  for (let n = 0; n < 2; n += 1) await shown();
  expect(await views()).toEqual([api.environmentId]);
});

test('on the free plan, a tool shows no payload', async () => {
  const { id, recent } = await agentWithEvent('order.free');
  await api.db.workspace.update({ where: { id: uuidOf('ws', api.workspaceId) }, data: { plan: 'free' } });
  // What an API process knows of an environment is at most a second old.
  const { untrusted } = await waitFor(
    async () => {
      const answer = await recent();
      const isHidden = answer.events.some((one: object) => 'data' in one && one.data === 'plan_required');
      return isHidden ? answer : undefined;
    },
    { what: `the payload of ${id} to be hidden` },
  );
  expect(untrusted.data).toEqual({});
});
