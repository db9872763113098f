import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { fromId } from '@posthorn/contract/ids';
import { openSession } from '@posthorn/db/session';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startApi } from '../../test/api-under-test.ts';
import { codeOf, createCaller, managementCaller } from '../../test/caller.ts';
import { type SeededPerson, seedPerson, seedPortal, uuidOf } from '../../test/people.ts';

// A credential is looked up before its body is read, and a body may take half a minute to arrive.

/** How far the clock is ahead. API and pull keys are cached for less than a second. */
let passedMs = 0;
const api = await startApi({
  clock: { now: () => new Date(), monotonicMs: () => performance.now() + passedMs },
  settings: { MCP_EVENTS: true },
});
afterAll(() => api.stop());
let admin: SeededPerson;
beforeEach(async () => {
  admin = await seedPerson(api.db, { workspaceId: api.workspaceId, role: 'admin' });
});

type Held = { send: () => Promise<string | number> };

/** A request whose caller has been authenticated, and whose body has not been sent. */
async function hold(path: string, token: string, body: object): Promise<Held> {
  const text = JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    expect: '100-continue',
    accept: 'application/json',
  };
  const held = request(`${api.app}${path}`, { method: 'POST', headers });
  const answered = once(held, 'response');
  held.flushHeaders();
  // The body is asked for once the caller is known.
  await once(held, 'continue');
  const send = async () => {
    held.end(text);
    const [response] = await answered;
    return codeOf({ status: response.statusCode, body: (await json(response)) as { error?: { code: string } } });
  };
  return { send };
}

const ofDashboard = (path: string) => `/api/workspaces/${api.workspaceId}${path}`;
const role = (userId: string) => ({
  workspaceId_userId: { workspaceId: uuidOf('ws', api.workspaceId), userId: uuidOf('usr', userId) },
});

test('a session that ended while a body arrived changes nothing', async () => {
  const { send } = await hold(ofDashboard('/applications'), admin.sessionToken, { name: 'Late' });
  await api.db.session.deleteMany({ where: { userId: uuidOf('usr', admin.userId) } });
  expect(await send()).toBe('unauthorized');
  expect(await api.db.application.count({ where: { name: 'Late' } })).toBe(0);
});

test('a body is judged by the role that its sender has when it has arrived', async () => {
  const { send } = await hold(ofDashboard('/applications'), admin.sessionToken, { name: 'Late' });
  await api.db.member.update({ where: role(admin.userId), data: { role: 'viewer' } });
  expect(await send()).toBe('forbidden');
});

test('a token and a portal session that were deleted while a body arrived change nothing', async () => {
  const created = await createCaller(api.app, { base: ofDashboard(''), token: admin.sessionToken })(
    'post',
    '/management-tokens',
    { name: 'Short' },
  );
  const byToken = await hold(`${api.base}/applications`, created.body.token, { name: 'Late' });
  const byAgent = await hold('/mcp', created.body.token, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const portal = await seedPortal(api.db, { workspaceId: api.workspaceId, environmentId: api.environmentId });
  const byPortal = await hold('/api/portal/endpoints', portal.portalToken, { url: 'https://hooks.example.com' });
  await api.db.managementToken.delete({ where: { id: fromId('tok', created.body.id) ?? '' } });
  await api.db.portalSession.delete({ where: { id: fromId('prt', portal.portalSessionId) ?? '' } });
  expect([await byToken.send(), await byAgent.send(), await byPortal.send()]).toEqual(Array(3).fill('unauthorized'));
});

test('an API key, a pull key and the key of an agent that were deleted while a body arrived do nothing', async () => {
  const call = managementCaller(api.app, api);
  await call('post', '/event-types', { name: 'late.sent', publishIn: [api.environmentId] });
  const { body: key } = await call('post', `/environments/${api.environmentId}/api-keys`, { name: 'Short' });
  const fetched = { environmentId: api.environmentId, type: 'pull' };
  const { body: endpoint } = await call('post', '/endpoints', fetched);
  await call('put', `/environments/${api.environmentId}/agents`, { enabled: true });
  const { body: agent } = await call('post', '/agent-keys', { name: 'Short', environmentId: api.environmentId });
  const byKey = await hold('/api/ingest/event/late.sent', key.key, { n: 1 });
  const byBatch = await hold('/api/ingest/batch', key.key, { events: [{ eventType: 'late.sent', data: 1 }] });
  const byConsumer = await hold(`/api/pull/${endpoint.id}/lease`, endpoint.pullKey, {});
  const list = { jsonrpc: '2.0', id: 1, method: 'events/list', params: {} };
  const byAgent = await hold(`/mcp/events/${api.environmentId}`, agent.key, list);
  await api.db.apiKey.delete({ where: { id: fromId('key', key.id) ?? '' } });
  await api.db.agentKey.deleteMany({ where: { environmentId: uuidOf('env', api.environmentId) } });
  await api.db.pullKey.deleteMany({ where: { endpointId: fromId('ep', endpoint.id) ?? '' } });
  passedMs += 1_000;
  const held = [byKey, byBatch, byConsumer, byAgent];
  expect(await Promise.all(held.map(({ send }) => send()))).toEqual(Array(4).fill('unauthorized'));
  expect(await api.db.event.count({ where: { eventType: 'late.sent' } })).toBe(0);
});

test('a management token outlives a role, so its creator must still have one when it is written', async () => {
  const demotion = openSession({ connectionString: api.databaseUrl });
  await demotion.connect();
  const workspaceId = uuidOf('ws', api.workspaceId);
  const { send } = await hold(ofDashboard('/management-tokens'), admin.sessionToken, { name: 'Late' });
  // Like a change of a role, lock the workspace first.
  await demotion.query('begin');
  await demotion.query('select 1 from workspace where id = $1 for no key update', [workspaceId]);
  await demotion.query(`update member set role = 'member' where user_id = $1`, [uuidOf('usr', admin.userId)]);
  const answered = send();
  const isWaiting = async () => {
    const rows = await api.db.$queryRaw<object[]>`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return rows.length > 0;
  };
  await waitFor(isWaiting, { what: 'the creation to wait for the role' });
  await demotion.query('commit');
  await demotion.end();
  expect(await answered).toBe('forbidden');
  expect(await api.db.managementToken.count({ where: { name: 'Late' } })).toBe(0);
});
