import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { Prisma } from '@posthorn/db/generated/client';
import { testRedis } from '@posthorn/testkit/database';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { waitFor } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, managementCaller } from '../../test/caller.ts';
import { fanOutTo } from '../../test/fan-out.ts';
import { seedPerson, seedPortal, uuidOf } from '../../test/people.ts';

// Without Redis, events are matched where they are accepted although no dispatcher is there.
const api = await startApi({ queue: testRedis(), rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
  await createType('order.created', [
    { name: 'order_id', path: 'order.id' },
    { name: 'email', path: 'email', fold: true },
    { name: 'total', path: 'total' },
  ]);
});

const createType = async (name: string, searchKeys: object[] | null) =>
  (await call('post', '/event-types', { name, publishIn: [workspace.environmentId], searchKeys })).body;

async function send(data: unknown, given: object = {}): Promise<string> {
  const { status, body } = await call('post', '/events', { eventType: 'order.created', data, ...given });
  expect([status, body.error]).toEqual([202, undefined]);
  return body.id;
}

const found = async (search: string | string[], filters: Record<string, string> = {}) => {
  const query = new URLSearchParams(filters);
  for (const text of [search].flat()) query.append('search', text);
  const { status, body } = await call('get', `/events?${query}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return (body.events as { id: string }[]).map(({ id }) => id);
};

/** Gives the events a delivery each. */
async function deliver(endpoint: string, ...ids: string[]): Promise<void> {
  for (const id of ids) await fanOutTo(api.db, uuidOf('msg', id), [uuidOf('ep', endpoint)]);
}

describe('a search', () => {
  test('finds the events that have a value, newest first, with all other filters', async () => {
    const first = await send({ order: { id: 'order_1002' }, total: 19.5 });
    const other = await send({ order: { id: 'order_1003' } });
    const second = await send({ order: { id: 'order_1002' }, total: 7 });
    expect(await found('order_id:order_1002')).toEqual([second, first]);
    expect(await found(['order_id:order_1002', 'total:19.50'])).toEqual([first]);
    expect(await found(['order_id:order_1003', 'total:7'])).toEqual([]);
    expect(await found('order_id:order_1002', { event_type: 'order.paid' })).toEqual([]);
    expect(await found('order_id:order_100')).toEqual([]);
    expect(await found('order_id:')).toEqual([]);
    expect(await found('order_1003')).toEqual([other]);
  });

  test('takes a text without the name of a key as the value, and tries every type that it can be', async () => {
    await createType('call.made', [{ name: 'number', path: 'number' }]);
    const text = await send({ number: '1900' }, { eventType: 'call.made' });
    const number = await send({ total: 1900 });
    const colon = await send({ order: { id: 'urn:order:7' } });
    expect(await found('1900')).toEqual([number, text]);
    expect(await found('number:1900')).toEqual([text]);
    expect(await found('urn:order:7')).toEqual([colon]);
    expect(await found('order_id:urn:order:7')).toEqual([colon]);
  });

  test('finds folded texts, and nothing of another environment', async () => {
    const id = await send({ email: 'Ann@Example.com' });
    expect(await found('email:aNN@example.COM')).toEqual([id]);
    const staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
    expect(await found('email:ann@example.com', { environment_id: staging })).toEqual([]);
    expect(await found('email:ann@example.com', { environment_id: workspace.environmentId })).toEqual([id]);
  });

  test('goes on page by page, and its cursor belongs to it', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift(await send({ order: { id: 'same' } }));
    const page = async (cursor?: string) =>
      (await call('post', '/events/search', { search: ['order_id:same'], limit: 2, ...(cursor && { cursor }) })).body;
    const first = await page();
    const second = await page(first.nextCursor);
    const third = await page(second.nextCursor);
    const all = [first, second, third].flatMap(({ events }) => events.map(({ id }: { id: string }) => id));
    expect([all, third.nextCursor]).toEqual([ids, null]);
    const other = await call('post', '/events/search', { search: ['order_id:other'], cursor: first.nextCursor });
    expect(codeOf(other)).toBe('invalid_cursor');
  });

  test.each(['events', 'deliveries'])('with several values reads %s page by page by the Link header', async (list) => {
    const { id: endpoint } = (await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body;
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift(await send({ order: { id: 'same' }, total: 7 }));
    await deliver(endpoint, ...ids);
    const read: string[] = [];
    for (let path = `/${list}?limit=2&search=order_id:same&search=total:7`; path !== ''; ) {
      const reply = await call('get', path);
      expect([reply.status, reply.body.error]).toEqual([200, undefined]);
      read.push(...reply.body[list].map(({ id, eventId = id }: { id: string; eventId?: string }) => eventId));
      path = /^<(.*)>; rel="next"$/.exec(reply.headers.link ?? '')?.[1]?.replace(/^/, '/') ?? '';
    }
    expect(read).toEqual(ids);
  });

  test('by a body tells under which keys each event was found, and takes the filters of the list', async () => {
    const id = await send({ order: { id: 'a' }, email: 'a' });
    const body = {
      search: ['a'],
      environmentId: workspace.environmentId,
      eventType: 'order.created',
      status: 'matching',
    };
    const reply = await call('post', '/events/search', body);
    expect(reply.body.events).toMatchObject([{ id, foundBy: ['email', 'order_id'] }]);
    expect(reply.headers.link).toBeUndefined();
  });

  test.each([
    ['a fifth value', { search: ['a', 'b', 'c', 'd', 'e'] }, 'search must have 1 to 4 items'],
    ['no value', { search: [] }, 'search must have 1 to 4 items'],
    ['an empty value', { search: [''] }, 'search[0] must be at least 1 character'],
    ['an unknown filter', { search: ['a'], event_type: 'a' }, 'Unknown field'],
  ])('with %s is refused', async (_, body, message) => {
    const reply = await call('post', '/events/search', body);
    expect([codeOf(reply), reply.body.error.message]).toEqual(['validation_error', expect.stringContaining(message)]);
  });

  test('without a name is refused when the workspace has more than 32 names, and with a name it is not', async () => {
    for (let n = 0; n < 4; n += 1) {
      const keys = Array.from({ length: 8 }, (_, key) => ({ name: `k${n}_${key}`, path: 'a' }));
      await createType(`many.t${n}`, keys);
    }
    const reply = await call('get', '/events?search=a');
    expect([codeOf(reply), reply.body.error.message]).toEqual([
      'validation_error',
      expect.stringContaining('search must name a search key'),
    ]);
    expect(await found('k3_7:a')).toEqual([]);
  });

  test('in too many environments is refused, and asks for what narrows it', async () => {
    const workspaceId = uuidOf('ws', workspace.workspaceId);
    const ended = { workspaceId, name: 'Ended', deletedAt: new Date() };
    const data = Array.from({ length: 1_000 }, (_, n) => ({ ...ended, id: newUuid(new Date()), slug: `ended-${n}` }));
    await api.db.environment.createMany({ data });
    const most = 'a value is looked for in at most 1000 combinations of search key and environment';
    expect((await call('get', '/events?search=order_id:a')).body.error).toMatchObject({
      code: 'validation_error',
      message: `search must name an environment: ${most}`,
    });
    expect((await call('get', '/events?search=a')).body.error).toMatchObject({
      message: `search must name a search key, as name:value, or an environment: ${most}`,
    });
    expect(await found('order_id:a', { environment_id: workspace.environmentId })).toEqual([]);
  });

  test('needs the right to payloads, and the Pro plan', async () => {
    const id = await send({ order: { id: 'a' } });
    const environment = { workspaceId: workspace.workspaceId, environmentId: workspace.environmentId };
    const limited = await seedPortal(api.db, { ...environment, capabilities: ['deliveries:read'] });
    const portal = createCaller(api.app, { base: '/api/portal', token: limited.portalToken });
    for (const search of ['order_id:a', 'order_id:b', 'none']) {
      expect(codeOf(await portal('get', `/events?search=${search}`))).toBe('forbidden');
    }
    expect(await found('order_id:a')).toEqual([id]);
    const free = await api.seedAnother({ plan: 'free' });
    expect(codeOf(await managementCaller(api.app, free)('get', '/events?search=a'))).toBe('plan_required');
  });

  test('is in the audit log once an hour for each key, with its name and without the value; no log line has the value', async () => {
    await send({ order: { id: 'secret-value' } });
    for (let n = 0; n < 2; n += 1) await found(['order_id:secret-value', 'secret-value']);
    await call('post', '/events/search', { search: ['order_id:secret-value'] });
    const where = { workspaceId: uuidOf('ws', workspace.workspaceId), action: 'payload.searched' };
    const entries = await api.db.auditEntry.findMany({ where, orderBy: { resourceId: 'asc' } });
    expect(entries.map(({ resourceType, resourceId }) => [resourceType, resourceId])).toEqual([
      ['search_key', '*'],
      ['search_key', 'order_id'],
    ]);
    expect(JSON.stringify(entries.map(({ metadata }) => metadata))).not.toContain('secret-value');
    expect(api.logLines.filter((line) => line.includes('secret-value'))).toEqual([]);
  });
});

test("what the dashboard's search box finds by names and keys is asked for in a body, and stays within the workspace and the environment", async () => {
  const { sessionToken: token } = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'viewer' });
  const dashboard = createCaller(api.app, { base: `/api/workspaces/${workspace.workspaceId}`, token });
  const acme = (await call('post', '/applications', { name: 'Acme Fish', externalId: 'fish-1' })).body;
  const { environmentId } = workspace;
  const sent = await request(api.app)
    .post('/api/ingest/event/order.created')
    .set({
      authorization: `Bearer ${workspace.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'fish-1',
    })
    .send('{}');
  const find = async (text: string) => (await dashboard('post', '/find', { text, environmentId })).body;
  const found = await find('fish-1');
  expect([found.applications, found.events.map(({ id }: { id: string }) => id)]).toEqual([[acme], [sent.body.id]]);
  expect((await find('acme FISH')).applications).toEqual([acme]);
  expect(await find('fish 2')).toEqual({ applications: [], events: [], nextCursor: null });
  const staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
  expect((await dashboard('post', '/find', { text: 'fish-1', environmentId: staging })).body.events).toEqual([]);
  expect(codeOf(await dashboard('post', '/find', { text: '', environmentId }))).toBe('validation_error');
  const other = await api.seedAnother();
  const away = { text: 'fish-1', environmentId: other.environmentId };
  expect(codeOf(await dashboard('post', '/find', away))).toBe('not_found');
  expect(api.logLines.filter((line) => line.includes('fish-1'))).toEqual([]);
});

describe('a search for deliveries', () => {
  test('finds the deliveries of the events, newest first and page by page, with all other filters', async () => {
    const endpoints = await Promise.all(
      [1, 2].map(async () => (await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body.id as string),
    );
    const [one = '', two = ''] = endpoints;
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push(await send({ order: { id: 'same' } }));
    const other = await send({ order: { id: 'other' } });
    await deliver(one, ...ids, other);
    await fanOutMore(two, ids);
    const all = await pages({ search: ['order_id:same'], limit: 4 });
    expect(all.map(({ eventId }) => eventId)).toEqual(ids.toReversed().flatMap((id) => [id, id]));
    const listed = (await call('get', '/deliveries')).body.deliveries.map(({ id }: { id: string }) => id);
    const found = all.map(({ id }) => id);
    expect(found).toEqual(listed.filter((id: string) => found.includes(id)));
    const ofOne = await pages({ search: ['order_id:same'], endpointId: one });
    expect(ofOne.map(({ endpointId }) => endpointId)).toEqual([one, one, one]);
    expect(await pages({ search: ['order_id:same', 'total:1'] })).toEqual([]);
    const { body } = await call('get', '/deliveries?search=order_id:other');
    expect(body.deliveries).toMatchObject([{ eventId: other }]);
  });

  type Found = { id: string; eventId: string; endpointId: string };

  async function pages(body: object): Promise<Found[]> {
    const all: Found[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const reply = await call('post', '/deliveries/search', { ...body, ...(cursor && { cursor }) });
      expect([reply.status, reply.body.error]).toEqual([200, undefined]);
      all.push(...reply.body.deliveries);
      cursor = reply.body.nextCursor;
    }
    return all;
  }

  /** A second delivery of each event. */
  async function fanOutMore(endpoint: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const [row] = await api.db.delivery.findMany({ where: { eventId: uuidOf('msg', id) } });
      if (row === undefined) throw new Error('no delivery');
      const time = row.id.slice(0, 13);
      const data = { ...row, id: `${time}${newUuid(new Date()).slice(13)}`, endpointId: uuidOf('ep', endpoint) };
      await api.db.delivery.create({ data });
    }
  }
});

describe('in a portal', () => {
  test('a search finds own events only, and answers the same whether another customer has the value', async () => {
    const { workspaceId, environmentId } = workspace;
    const seeded = await seedPortal(api.db, { workspaceId, environmentId });
    const portal = createCaller(api.app, { base: '/api/portal', token: seeded.portalToken });
    const stranger = (await call('post', '/applications', { name: 'Stranger' })).body.id;
    const own = await send({ order: { id: 'mine' } }, { applicationId: seeded.applicationId });
    await send({ order: { id: 'theirs' } }, { applicationId: stranger });
    const endpoint = await call('post', `/applications/${seeded.applicationId}/endpoints`, {
      url: 'https://127.0.0.1/',
    });
    const delivered = await send({ order: { id: 'to all' } });
    await deliver(endpoint.body.id, delivered);
    const search = async (text: string) => (await portal('post', '/events/search', { search: [text] })).body;
    expect((await search('order_id:mine')).events).toMatchObject([{ id: own, foundBy: ['order_id'] }]);
    expect((await search('to all')).events).toMatchObject([{ id: delivered }]);
    expect(await search('order_id:theirs')).toEqual(await search('order_id:nobody'));
    expect(await search('order_id:theirs')).toEqual({ events: [], nextCursor: null });
    expect(codeOf(await portal('post', '/deliveries/search', { search: ['mine'] }))).toBe('method_not_allowed');
    const entries = (await call('get', '/audit-logs?action=payload.searched')).body.data;
    expect(entries.map(({ resourceId }: { resourceId: string }) => resourceId).sort()).toEqual(['*', 'order_id']);
  });
});

test('after a rotation of the key, events from before and after it are found, and nothing is found twice', async () => {
  const before = await send({ order: { id: 'same' } });
  const rotated = await call('post', '/search-key/rotate');
  expect([rotated.status, rotated.body.error]).toEqual([200, undefined]);
  expect(codeOf(await call('post', '/search-key/rotate'))).toBe('limit_reached');
  const stored = await api.db.workspaceSearchKey.findMany({
    where: { workspaceId: uuidOf('ws', workspace.workspaceId) },
  });
  expect(stored.map(({ replacedAt }) => replacedAt?.toISOString() ?? null).sort()).toEqual([
    rotated.body.rotatedAt,
    null,
  ]);
  const [old] = await api.db.eventToken.findMany({ where: { eventId: uuidOf('msg', before) } });
  // A process learns of the new key within a second.
  const after = await waitFor(
    async () => {
      const id = await send({ order: { id: 'same' } });
      const [row] = await api.db.eventToken.findMany({ where: { eventId: uuidOf('msg', id) } });
      return row !== undefined && row.token !== old?.token ? id : undefined;
    },
    { what: 'an event under the new key' },
  );
  const ids = await found('order_id:same');
  expect([ids[0], ids.at(-1)]).toEqual([after, before]);
  expect(new Set(ids).size).toBe(ids.length);
  const plain = await api.seedAnother();
  expect(codeOf(await managementCaller(api.app, plain)('post', '/search-key/rotate'))).toBe('not_found');
});

test('an indexing of older events is counted in a dry run, started once asked for, and refused without search keys', async () => {
  await createType('parcel.sent', null);
  await send({ id: 'a' }, { eventType: 'parcel.sent' });
  const start = (body: object) => call('post', '/search-index', { eventType: 'parcel.sent', ...body });
  expect((await start({})).body.error.message).toBe('eventType must have search keys');
  expect(codeOf(await start({ eventType: 'no.such' }))).toBe('not_found');
  const types: { id: string; name: string }[] = (await call('get', '/event-types')).body;
  const { id } = types.find(({ name }) => name === 'parcel.sent') ?? { id: '' };
  await call('patch', `/event-types/${id}`, { searchKeys: [{ name: 'parcel', path: 'id' }] });
  expect((await start({ dryRun: true })).body).toMatchObject({
    id: null,
    matched: 1,
    eventTypes: { 'parcel.sent': 1 },
  });
  const started = await start({});
  expect([started.status, started.body.type, started.body.status]).toEqual([202, 'search_index', 'running']);
  const change = async (to: string) => (await call('post', `/operations/${started.body.id}/${to}`)).body;
  const paused = await change('pause');
  expect(paused).toMatchObject({ status: 'running', pausedAt: expect.any(String) });
  expect([(await change('pause')).pausedAt, (await change('resume')).pausedAt]).toEqual([paused.pausedAt, null]);
  await change('pause');
  expect(await change('cancel')).toMatchObject({ status: 'cancelled', pausedAt: null });
  expect((await change('resume')).error.code).toBe('not_cancellable');
  const where = { workspaceId: uuidOf('ws', workspace.workspaceId), resourceId: started.body.id };
  const entries = await api.db.auditEntry.findMany({ where, orderBy: { id: 'asc' } });
  expect(entries.map(({ action }) => action)).toEqual(
    ['started', 'paused', 'resumed', 'paused', 'cancelled'].map((what) => `operation.${what}`),
  );
});

test('no table has a value that was searched or stored', async () => {
  const value = `hidden-${newUuid(new Date())}`;
  const id = await send({ order: { id: value }, email: value });
  expect(await found(`order_id:${value}`)).toEqual([id]);
  expect(await found(value)).toEqual([id]);
  const tables = await api.db.$queryRaw<{ name: string }[]>`
    select format('%I', relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  for (const { name } of tables) {
    const texts = [`%${value}%`, `%${Buffer.from(value).toString('hex')}%`];
    const rows = await api.db.$queryRaw<unknown[]>`
      select 1 from ${Prisma.raw(name)} r where r::text like any(${texts}::text[])`;
    expect([name, rows]).toEqual([name, []]);
  }
});

test('a workspace whose types have no search keys has no key, and its events have no tokens', async () => {
  const other = await api.seedAnother();
  await managementCaller(api.app, other)('post', '/event-types', { name: 'plain', publishIn: [other.environmentId] });
  const reply = await request(api.app)
    .post('/api/ingest/event/plain')
    .set({ authorization: `Bearer ${other.apiKey}`, 'content-type': 'application/json' })
    .send('{}');
  expect(reply.status).toBe(202);
  const where = { workspaceId: uuidOf('ws', other.workspaceId) };
  expect(await api.db.workspaceSearchKey.count({ where })).toBe(0);
  expect(await api.db.eventToken.count({ where: { eventId: uuidOf('msg', reply.body.id) } })).toBe(0);
});
