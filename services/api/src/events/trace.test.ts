import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import { testRedis } from '@posthorn/testkit/database';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, managementCaller } from '../../test/caller.ts';
import { fanOutTo } from '../../test/fan-out.ts';
import { uuidOf } from '../../test/people.ts';

// Without Redis, events are matched where they are accepted although no dispatcher is there.
const api = await startApi({ queue: testRedis(), rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
});

type Entry = { endpointId: string; decision: string; reason: string | null; detail: string; delivery: object | null };

/** The workspace's environment with a published type to which endpoints can be subscribed. */
async function place() {
  const { environmentId, apiKey: key } = workspace;
  const name = 'order.created';
  const typeId = (await call('post', '/event-types', { name, publishIn: [environmentId] })).body.id;
  const endpoint = async (subscribed = true, application?: string) => {
    const path = application === undefined ? '/endpoints' : `/applications/${application}/endpoints`;
    const { id } = (await call('post', path, { url: 'https://127.0.0.1/', environmentId })).body;
    if (subscribed) await call('post', `/endpoints/${id}/subscriptions`, { eventTypeIds: [typeId] });
    return String(id);
  };
  const publish = (published: boolean) =>
    call('put', `/environments/${environmentId}/event-types/${typeId}/visibility`, { published });
  const ingest = async (headers: Record<string, string> = {}) => {
    await nextMillisecond();
    const sent = request(api.app).post(`/api/ingest/event/${name}`).set('x-api-key', key).set(headers);
    return String((await sent.send({ n: 1 })).body.id);
  };
  return { environmentId, key, name, typeId: String(typeId), endpoint, publish, ingest };
}

/** An event's time is in milliseconds: a change within the same one may count as earlier or as later. */
async function nextMillisecond() {
  const from = Date.now();
  while (Date.now() <= from + 1) await setImmediate();
}

const trace = async (id: string, query = '') => (await call('get', `/events/${id}/trace?${query}`)).body;
const decisions = (body: { endpoints: Entry[] }) =>
  Object.fromEntries(body.endpoints.map((entry) => [entry.endpointId, entry.reason ?? entry.decision]));
const fanOut = (id: string, endpoints: string[]) =>
  fanOutTo(
    api.db,
    uuidOf('msg', id),
    endpoints.map((endpoint) => uuidOf('ep', endpoint)),
  );

async function pages(id: string, query: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor = ''; ; ) {
    const body = await trace(id, `${query}${cursor}`);
    entries.push(...body.endpoints);
    if (body.nextCursor === null) return entries;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

describe('the trace of an event', () => {
  test('names every endpoint that existed at its fan-out, matched ones first, with the first reason that held', async () => {
    const { environmentId, name, endpoint, ingest } = await place();
    const application = (await call('post', '/applications', { name: 'A' })).body.id;
    const other = (await call('post', '/applications', { name: 'B' })).body.id;
    const [matched, unsubscribed, inactive] = [
      await endpoint(true, application),
      await endpoint(false, application),
      await endpoint(true, application),
    ];
    const [ofOther, deletedBefore] = [await endpoint(true, other), await endpoint()];
    await call('patch', `/endpoints/${inactive}`, { isActive: false });
    await call('delete', `/endpoints/${deletedBefore}`);
    const id = await ingest({ 'x-application-id': application });
    await fanOut(id, [matched]);
    await nextMillisecond();
    const later = await endpoint();
    const body = await trace(id);
    expect(body).toMatchObject({
      ...{
        eventId: id,
        eventType: name,
        eventTypeName: name,
        environmentId,
        published: true,
        matched: 1,
        skipped: 3,
        nextCursor: null,
      },
      fannedOutAt: expect.stringMatching(/Z$/),
    });
    expect(decisions(body)).toEqual({
      [matched]: 'matched',
      [unsubscribed]: 'not_subscribed',
      [inactive]: 'endpoint_inactive',
      [ofOther]: 'other_application',
    });
    expect(decisions(body)).not.toHaveProperty(later);
    expect(body.endpoints[0]).toEqual({
      ...{ endpointId: matched, url: 'https://127.0.0.1/', description: '', applicationId: application },
      ...{ decision: 'matched', reason: null, detail: expect.stringContaining(name) },
      delivery: {
        id: toId('dlv', deliveryIdFor(uuidOf('msg', id), uuidOf('ep', matched))),
        ...{ status: 'pending', totalAttempts: 0, nextRetryAt: null, lastResponseStatus: null },
        ...{ failureReason: null, cancelReason: null, waitingFor: null },
      },
    });
    const skipped = body.endpoints.slice(1);
    expect(skipped.map((entry: Entry) => entry.endpointId)).toEqual([unsubscribed, inactive, ofOther].sort());
    for (const entry of skipped) expect(entry.detail).toMatch(/\.$/);
    expect(Object.keys(decisions(await trace(id, 'decision=matched')))).toEqual([matched]);
    expect(decisions(await trace(id, 'decision=skipped'))).not.toHaveProperty(matched);
    expect(await trace(id, 'decision=waiting')).toMatchObject({ matched: 1, skipped: 3, endpoints: [] });
    for (const limit of [1, 2, 3]) expect(await pages(id, `limit=${limit}`)).toEqual(body.endpoints);
    const { nextCursor } = await trace(id, 'limit=1');
    expect(codeOf(await call('get', `/events/${id}/trace?decision=skipped&cursor=${nextCursor}`))).toBe(
      'invalid_cursor',
    );
  });

  test('looks up the externalId of an endpoint in the environment of the event', async () => {
    const { environmentId, ingest } = await place();
    const staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
    const twin = async (of: string) => {
      const body = { url: 'https://127.0.0.1/', environmentId: of, externalId: 'twin' };
      return String((await call('post', '/endpoints', body)).body.id);
    };
    const [own, other] = [await twin(environmentId), await twin(staging)];
    const id = await ingest();
    await fanOut(id, []);
    expect(decisions(await trace(id, 'endpoint_id=ext:twin'))).toEqual({ [own]: 'not_subscribed' });
    expect(decisions(await trace(id, `endpoint_id=${other}`))).toEqual({});
    expect(codeOf(await call('get', `/events/${id}/trace?endpoint_id=ext:nobody`))).toBe('not_found');
  });

  test('stays what it was when everything has changed since', async () => {
    const { endpoint, ingest, publish, typeId } = await place();
    const [matched, unsubscribed, inactive] = [await endpoint(), await endpoint(false), await endpoint()];
    await call('patch', `/endpoints/${inactive}`, { isActive: false });
    const id = await ingest();
    await fanOut(id, [matched]);
    await nextMillisecond();
    const before = decisions(await trace(id));
    expect(before).toEqual({
      [matched]: 'matched',
      [unsubscribed]: 'not_subscribed',
      [inactive]: 'endpoint_inactive',
    });
    await call('patch', `/endpoints/${inactive}`, { isActive: true });
    await call('post', `/endpoints/${unsubscribed}/subscriptions`, { eventTypeIds: [typeId] });
    await publish(false);
    expect(decisions(await trace(id))).toEqual(before);
    for (const one of [matched, unsubscribed, inactive]) await call('delete', `/endpoints/${one}`);
    expect(decisions(await trace(id))).toEqual(before);
    expect((await call('delete', `/event-types/${typeId}`)).status).toBe(204);
    expect(decisions(await trace(id))).toEqual(before);
  });

  test('an unpublished event was skipped everywhere, even after its type has been published', async () => {
    const { endpoint, ingest, publish } = await place();
    const one = await endpoint();
    await publish(false);
    const id = await ingest();
    await publish(true);
    expect(await trace(id)).toMatchObject({ published: false, matched: 0, skipped: 1 });
    expect(decisions(await trace(id))).toEqual({ [one]: 'event_type_not_published' });
  });

  test('a type that was unpublished, and an endpoint that was deleted, between acceptance and fan-out are the reasons', async () => {
    const { endpoint, ingest, publish } = await place();
    const [deleted, kept] = [await endpoint(), await endpoint(false)];
    const id = await ingest();
    await call('delete', `/endpoints/${deleted}`);
    await fanOut(id, []);
    expect(decisions(await trace(id))).toEqual({ [deleted]: 'endpoint_deleted', [kept]: 'not_subscribed' });
    const second = await ingest();
    await publish(false);
    await fanOut(second, []);
    expect(await trace(second)).toMatchObject({ published: true });
    expect(decisions(await trace(second))).toEqual({ [kept]: 'event_type_not_published' });
  });

  test('before the fan-out every endpoint waits; an event that was cancelled by then has no entry', async () => {
    const { endpoint, ingest } = await place();
    const one = await endpoint();
    const id = await ingest();
    expect(await trace(id)).toMatchObject({ fannedOutAt: null, matched: 0, skipped: 0 });
    expect(decisions(await trace(id))).toEqual({ [one]: 'waiting' });
    expect((await trace(id, 'decision=skipped')).endpoints).toEqual([]);
    await api.db.pendingFanOut.delete({ where: { eventId: uuidOf('msg', id) } });
    await api.db.cancelledEvent.create({
      data: { eventId: uuidOf('msg', id), workspaceId: uuidOf('ws', api.workspaceId) },
    });
    expect(await trace(id)).toMatchObject({ fannedOutAt: null, endpoints: [] });
  });

  test('an endpoint whose filter did not match was filtered, with the clause and what the payload had, whatever its filter is now', async () => {
    const { endpoint, ingest, typeId } = await place();
    const withFilter = async (filter: object) => {
      const id = await endpoint(false);
      await call('post', `/endpoints/${id}/subscriptions`, { eventTypeIds: [typeId], filter });
      return id;
    };
    const [matching, other] = [await withFilter({ n: 1 }), await withFilter({ 'order.total': { gte: 5 }, n: 1 })];
    const changed = await withFilter({ n: 1 });
    await call('patch', `/endpoints/${changed}/subscriptions/${typeId}`, { filter: { n: 2 } });
    const id = await ingest();
    await fanOut(id, [matching]);
    await nextMillisecond();
    const expected = { [matching]: 'matched', [other]: 'filtered', [changed]: 'filtered' };
    const detailOf = async (endpointId: string) =>
      (await trace(id)).endpoints.find((entry: Entry) => entry.endpointId === endpointId)?.detail;
    expect(decisions(await trace(id))).toEqual(expected);
    expect(await detailOf(other)).toContain('order.total (gte 5): the payload had nothing there');
    expect(await detailOf(changed)).toContain('n (eq 2): the payload had 1');
    await call('patch', `/endpoints/${changed}/subscriptions/${typeId}`, { filter: null });
    await call('patch', `/endpoints/${matching}/subscriptions/${typeId}`, { filter: { n: 3 } });
    await call('delete', `/endpoints/${other}/subscriptions/${typeId}`);
    expect(decisions(await trace(id))).toEqual(expected);
    expect(await detailOf(changed)).toContain('n (eq 2): the payload had 1');
    const where = { workspaceId: uuidOf('ws', workspace.workspaceId) };
    await api.db.managementToken.updateMany({ where, data: { scopes: ['read'] } });
    expect(await detailOf(changed)).toMatch(/n \(eq 2\)\.$/);
  });

  test('values of the payload are entered in the audit log once an hour, and are not shown after the retention', async () => {
    const { endpoint, ingest, typeId } = await place();
    const filtered = await endpoint(false);
    await call('post', `/endpoints/${filtered}/subscriptions`, { eventTypeIds: [typeId], filter: { n: 2 } });
    await endpoint(false);
    const id = await ingest();
    await fanOut(id, []);
    const detail = async () =>
      (await trace(id)).endpoints.find((entry: Entry) => entry.endpointId === filtered)?.detail;
    const where = { workspaceId: uuidOf('ws', workspace.workspaceId) };
    const views = () => api.db.auditEntry.findMany({ where: { ...where, action: 'payload.viewed' } });
    await api.db.managementToken.updateMany({ where, data: { scopes: ['read'] } });
    expect(await detail()).toMatch(/n \(eq 2\)\.$/);
    expect(await views()).toEqual([]);
    await api.db.managementToken.updateMany({ where, data: { scopes: ['read', 'payloads'] } });
    for (let n = 0; n < 2; n += 1) expect(await detail()).toContain('the payload had 1');
    expect(await views()).toMatchObject([{ resourceId: id, resourceType: 'payload' }]);
    const { clock } = api.services;
    api.services.clock = { ...clock, now: () => new Date(Date.now() + 8 * 86_400_000) };
    const later = await detail();
    api.services.clock = clock;
    expect(later).toBe('The filter of the subscription did not match the payload.');
  });

  test('an event to one endpoint has this one alone', async () => {
    const { endpoint, key } = await place();
    const [one] = [await endpoint(false), await endpoint()];
    const sent = await request(api.app).post(`/api/ingest/${one}`).set('x-api-key', key).send({ n: 1 });
    const body = await trace(sent.body.id);
    expect(body).toMatchObject({ eventType: null, eventTypeName: null, matched: 1, skipped: 0 });
    expect(decisions(body)).toEqual({ [one]: 'matched' });
  });

  test('a fan-out that came late is traced as things stood at its time', async () => {
    const { endpoint, ingest, typeId } = await place();
    const [one, two] = [await endpoint(), await endpoint()];
    const id = await ingest();
    await call('delete', `/endpoints/${two}/subscriptions/${typeId}`);
    await api.db.$executeRaw`select 1 from pg_sleep(0.6)`;
    await fanOut(id, [one]);
    const { fannedOutAt } = await trace(id);
    expect(new Date(fannedOutAt).getTime()).toBeGreaterThan(timeOf(id) + 500);
    expect(decisions(await trace(id))).toEqual({ [one]: 'matched', [two]: 'not_subscribed' });
  });
});

const timeOf = (id: string) => Number.parseInt(uuidOf('msg', id).replace('-', '').slice(0, 12), 16);

describe('a trace with many endpoints', () => {
  test('reads as many rows as the environment has endpoints, and none of endpoints that were deleted long before', async () => {
    const { environmentId, ingest } = await place();
    const [workspaceId, environment] = [uuidOf('ws', workspace.workspaceId), uuidOf('env', environmentId)];
    const old = newUuid(new Date(Date.now() - 86_400_000)).slice(0, 24);
    await api.db.$executeRaw`
      insert into endpoint (id, workspace_id, environment_id, url, is_active, deleted_at)
      select (${old} || lpad(to_hex(n), 12, '0'))::uuid, ${workspaceId}::uuid, ${environment}::uuid,
        'https://127.0.0.1/', n > 2000, case when n <= 2000 then now() - interval '1 hour' end
      from generate_series(1, 3000) n`;
    await api.db.$executeRaw`analyze endpoint`;
    const id = await ingest();
    await fanOut(id, []);
    expect(await trace(id, 'limit=5')).toMatchObject({ matched: 0, skipped: 1_000 });
    const before = await rowsRead();
    await trace(id, 'limit=5');
    expect((await rowsRead()) - before).toBeLessThan(1_200);
  });
});

/** Rows that statements have read from the tables of endpoints and their history, so far. */
async function rowsRead(): Promise<number> {
  // Every connection of both pools, because each reports what it has read only up to 10 s later.
  const flush = (db: typeof api.db, connections: number) =>
    Array.from({ length: connections }, () => db.$queryRaw`select 1 from pg_stat_force_next_flush()`);
  await Promise.all([...flush(api.services.listDb, 4), ...flush(api.db, 5)]);
  const [row] = await api.db.$queryRaw<{ rows: number }[]>`
    select sum(seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_user_tables
    where relname in ('endpoint', 'subscription', 'ended_subscription', 'ended_inactivity')`;
  return row?.rows ?? 0;
}

describe('the precheck', () => {
  test('tells which endpoints would get an event now, and why the others would not, and changes nothing', async () => {
    const { environmentId, typeId, endpoint, publish } = await place();
    const application = (await call('post', '/applications', { name: 'A' })).body.id;
    const [first, ofCustomer, inactive, none] = [
      await endpoint(),
      await endpoint(true, application),
      await endpoint(),
      await endpoint(false),
    ];
    await call('patch', `/endpoints/${inactive}`, { isActive: false });
    const check = (body: object) => call('post', `/event-types/${typeId}/precheck`, body);
    const all = await check({ environmentId, payload: { n: 1 } });
    expect([all.status, all.body.published, all.body.matched, all.body.truncated]).toEqual([200, true, 2, false]);
    expect(all.body.endpoints.slice(0, 2).map((entry: Entry) => entry.decision)).toEqual(['matched', 'matched']);
    const skipped = { [inactive]: 'endpoint_inactive', [none]: 'not_subscribed' };
    expect(decisions(all.body)).toEqual({ [first]: 'matched', [ofCustomer]: 'matched', ...skipped });
    const sent = (await check({ environmentId, applicationId: application })).body;
    expect([sent.matched, sent.endpoints[0].endpointId]).toEqual([1, ofCustomer]);
    expect(decisions(sent)).toMatchObject({ [first]: 'other_application', [inactive]: 'other_application' });
    await publish(false);
    const unpublished = (await check({ environmentId })).body;
    expect([unpublished.published, unpublished.matched]).toEqual([false, 0]);
    expect(new Set(Object.values(decisions(unpublished)))).toEqual(new Set(['event_type_not_published']));
    expect(await api.db.event.count({ where: { environmentId: uuidOf('env', environmentId) } })).toBe(0);
  });

  test('shows the endpoints whose filters were matched within 2 seconds, at least one, and that there are more', async () => {
    const { environmentId, typeId, endpoint } = await place();
    for (let n = 0; n < 4; n += 1) await endpoint();
    const { clock } = api.services;
    let nowMs = 0;
    api.services.clock = { ...clock, monotonicMs: () => (nowMs += 900) };
    const { body } = await call('post', `/event-types/${typeId}/precheck`, { environmentId, payload: { n: 1 } });
    api.services.clock = clock;
    expect([body.matched, body.endpoints.length, body.truncated]).toEqual([3, 3, true]);
  });

  test('without a payload an endpoint with a filter depends on it; with one the filter decides', async () => {
    const { environmentId, typeId, endpoint } = await place();
    const one = await endpoint(false);
    await call('post', `/endpoints/${one}/subscriptions`, { eventTypeIds: [typeId], filter: { n: 1 } });
    const check = async (body: object) =>
      (await call('post', `/event-types/${typeId}/precheck`, { environmentId, ...body })).body;
    const without = await check({});
    expect([without.matched, without.endpoints[0].decision, without.endpoints[0].reason]).toEqual([0, 'depends', null]);
    expect(decisions(await check({ payload: { n: 1 } }))).toEqual({ [one]: 'matched' });
    expect(decisions(await check({ payload: null }))).toEqual({ [one]: 'filtered' });
    expect((await check({ payload: { n: 2 } })).endpoints[0].detail).toContain('the payload had 2');
  });

  test('an unknown type, environment or application is not found', async () => {
    const { typeId, environmentId } = await place();
    const path = `/event-types/${typeId}/precheck`;
    expect(codeOf(await call('post', `/event-types/${environmentId}/precheck`, {}))).toBe('not_found');
    expect(codeOf(await call('post', path, { environmentId: typeId }))).toBe('not_found');
    expect(codeOf(await call('post', path, { applicationId: 'ext:none' }))).toBe('not_found');
    expect(codeOf(await call('post', path, { applicationId: 1 }))).toBe('validation_error');
    expect((await call('post', path)).body).toMatchObject({ published: true, endpoints: [] });
  });
});
