import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller } from '../../test/caller.ts';
import { seedPortal, uuidOf } from '../../test/people.ts';
import { type Pattern, patternOf } from './patterns.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let base: string;
let call: Caller;
let environmentId: string;
let workspaceId: string;
beforeEach(async () => {
  const seeded = await api.seedAnother();
  ({ environmentId, workspaceId } = seeded);
  base = `/management/v1/workspaces/${workspaceId}`;
  call = createCaller(api.app, { base, token: seeded.managementToken });
  for (const name of ['order.placed', 'invoice.paid', 'invoice.line.added', 'invoices.sent']) {
    expect((await call('post', '/event-types', { name })).status).toBe(201);
  }
});

const url = 'https://127.0.0.1/hook';
const create = (body: object) => call('post', '/endpoints', { url, environmentId, ...body });
const newestEntry = () =>
  api.db.auditEntry.findFirstOrThrow({
    where: { workspaceId: uuidOf('ws', workspaceId) },
    orderBy: { id: 'desc' },
  });
const names = async (id: string): Promise<string[]> =>
  (await call('get', `/endpoints/${id}/subscriptions`)).body
    .map(({ eventTypeName }: { eventTypeName: string }) => eventTypeName)
    .sort();

test.each([
  ['*', 'order.placed', true],
  ['*', 'posthorn.delivery.failed', false],
  ['invoice.*', 'invoice.paid', true],
  ['invoice.*', 'invoice.line.added', true],
  ['invoice.*', 'invoice', false],
  ['invoice.*', 'invoices.sent', false],
])('the pattern %s and the type %s fit: %s', (pattern, name, fits) => {
  expect(patternOf([{ pattern, filter: null }] as Pattern[], name) !== undefined).toBe(fits);
});

test('an endpoint takes as many patterns as a workspace has event types, and takes back what it has answered', async () => {
  const patterns = (count: number) => Array.from({ length: count }, (_, index) => `kind_${index}.*`);
  const { status, body } = await create({ eventTypes: patterns(1_000) });
  expect([status, body.eventTypePatterns.length]).toEqual([201, 1_000]);
  const { eventTypePatterns } = body;
  expect((await call('patch', `/endpoints/${body.id}`, { eventTypePatterns })).status).toBe(200);
  const more = await create({ eventTypes: patterns(1_001) });
  expect([more.status, more.body.error.message]).toEqual([400, 'eventTypes must have 1 to 1,000 items']);
});

describe('a new endpoint', () => {
  test('subscribes by name and by pattern in the same request; a name goes before a pattern', async () => {
    const reply = await create({
      eventTypes: [
        'order.placed',
        { name: 'invoice.paid', filter: { n: 1 } },
        { pattern: 'invoice.*', filter: { n: 2 } },
      ],
    });
    expect([reply.status, reply.body.eventTypePatterns]).toEqual([201, [{ pattern: 'invoice.*', filter: { n: 2 } }]]);
    const { body } = await call('get', `/endpoints/${reply.body.id}/subscriptions`);
    const shown = body.map(({ eventTypeName, filter, pattern }: Record<string, unknown>) => [
      eventTypeName,
      filter,
      pattern,
    ]);
    expect(shown.sort()).toEqual([
      ['invoice.line.added', { n: 2 }, 'invoice.*'],
      ['invoice.paid', { n: 1 }, null],
      ['order.placed', null, null],
    ]);
    const ids = new Map(
      body.map((one: { eventType: string; eventTypeId: string }) => [one.eventType, one.eventTypeId]),
    );
    expect(await newestEntry()).toMatchObject({
      action: 'endpoint.created',
      metadata: {
        changes: {
          eventTypeIds: { from: [], to: [ids.get('order.placed'), ids.get('invoice.paid')] },
        },
      },
    });
  });

  test('is not made when one name is unknown', async () => {
    const refused = await create({ eventTypes: ['order.placed', 'order.plced'] });
    expect(refused.body.error).toEqual({ code: 'not_found', message: 'Event type not found: order.plced' });
    expect((await call('get', '/endpoints')).body).toEqual([]);
  });

  test.each([
    ['nothing', []],
    ['no text', [1]],
    ['a star inside', ['invoice.*.paid']],
    ['a star without a dot', ['invoice*']],
    ['operational events', ['posthorn.*']],
    ['an invalid filter', [{ pattern: '*', filter: { n: { nope: 1 } } }]],
    ['a name as a pattern', [{ pattern: 'order.placed' }]],
  ])('with %s is refused', async (_, eventTypes) => {
    expect(codeOf(await create({ eventTypes }))).toBe('validation_error');
  });

  test('may begin inactive', async () => {
    const { body } = await create({ isActive: false });
    expect(body).toMatchObject({ isActive: false, disabledReason: 'manual', disabledAt: expect.any(String) });
    expect((await create({ isActive: true })).body).toMatchObject({ isActive: true, disabledReason: null });
  });
});

describe('an endpoint with a pattern', () => {
  test('gets a type that is created later, routes change with it, and the type can be deleted', async () => {
    const { body: endpoint } = await create({ eventTypes: ['*'] });
    const { body: other } = await create({ eventTypes: ['invoice.*'] });
    const version = () => api.db.$queryRaw`select * from environment where id = ${uuidOf('env', environmentId)}::uuid`;
    const before = JSON.stringify(await version(), (_, value) => (typeof value === 'bigint' ? String(value) : value));
    const { body: type } = await call('post', '/event-types', { name: 'order.shipped' });
    const after = JSON.stringify(await version(), (_, value) => (typeof value === 'bigint' ? String(value) : value));
    expect(after).not.toBe(before);
    expect(await names(endpoint.id)).toContain('order.shipped');
    expect(await names(other.id)).toEqual(['invoice.line.added', 'invoice.paid']);
    expect((await call('delete', `/event-types/${type.id}`)).status).toBe(204);
    expect(await names(endpoint.id)).not.toContain('order.shipped');
  });

  test('gets every type that is created at the same instant', async () => {
    const made = Array.from({ length: 6 }, (_, n) => `burst.t${n}`);
    const [endpoint] = await Promise.all([
      create({ eventTypes: ['*'] }),
      ...made.map((name) => call('post', '/event-types', { name })),
    ]);
    expect(await names(endpoint?.body.id)).toEqual(expect.arrayContaining(made));
  });

  test('does without a type whose subscription was deleted, until the patterns are patched', async () => {
    const { body: endpoint } = await create({ eventTypes: ['*'] });
    const paid = (await call('get', `/endpoints/${endpoint.id}/subscriptions`)).body.find(
      ({ eventTypeName }: { eventTypeName: string }) => eventTypeName === 'invoice.paid',
    );
    await call('delete', `/endpoints/${endpoint.id}/subscriptions/${paid.eventTypeId}`);
    await call('post', '/event-types', { name: 'order.shipped' });
    await call('patch', `/endpoints/${endpoint.id}`, { description: 'other' });
    expect(await names(endpoint.id)).toEqual(['invoice.line.added', 'invoices.sent', 'order.placed', 'order.shipped']);
    await call('patch', `/endpoints/${endpoint.id}`, { eventTypePatterns: ['*'] });
    expect(await names(endpoint.id)).toContain('invoice.paid');
    const all = [{ pattern: '*', filter: null }];
    expect(await newestEntry()).toMatchObject({
      action: 'endpoint.updated',
      metadata: { changes: { eventTypePatterns: { from: all, to: all } } },
    });
    const { id } = await newestEntry();
    await call('patch', `/endpoints/${endpoint.id}`, { eventTypePatterns: ['*'] });
    expect((await newestEntry()).id).toBe(id);
  });

  test('loses with its patterns what they made, and keeps what was subscribed by itself', async () => {
    const { body: endpoint } = await create({ eventTypes: ['invoice.*', 'order.placed'] });
    const all = (await call('get', `/endpoints/${endpoint.id}/subscriptions`)).body;
    const added = all.find(({ eventTypeName }: { eventTypeName: string }) => eventTypeName === 'invoice.line.added');
    const again = await call('post', `/endpoints/${endpoint.id}/subscriptions`, { eventTypeIds: [added.eventTypeId] });
    expect(again.body).toEqual({ subscribed: 0 });
    expect(await newestEntry()).toMatchObject({
      action: 'subscription.updated',
      metadata: {
        changes: { patterns: { from: { [added.eventTypeId]: 'invoice.*' }, to: { [added.eventTypeId]: null } } },
      },
    });
    const { id } = await newestEntry();
    await call('post', `/endpoints/${endpoint.id}/subscriptions`, { eventTypeIds: [added.eventTypeId] });
    expect((await newestEntry()).id).toBe(id);
    const patched = await call('patch', `/endpoints/${endpoint.id}`, { eventTypePatterns: [] });
    expect(patched.body.eventTypePatterns).toEqual([]);
    expect(await names(endpoint.id)).toEqual(['invoice.line.added', 'order.placed']);
    const filtered = { eventTypePatterns: [{ pattern: '*', filter: { n: 1 } }] };
    expect((await call('patch', `/endpoints/${endpoint.id}`, filtered)).body.eventTypePatterns).toEqual(
      filtered.eventTypePatterns,
    );
    expect(await newestEntry()).toMatchObject({
      action: 'endpoint.updated',
      metadata: { changes: { eventTypePatterns: { from: [], to: filtered.eventTypePatterns } } },
    });
  });
});

test('another filter of a pattern holds for all subscriptions that the pattern made, and for no other', async () => {
  const { body: endpoint } = await create({ eventTypes: ['order.placed', { pattern: 'invoice.*', filter: { n: 1 } }] });
  const filters = async () => {
    const { body } = await call('get', `/endpoints/${endpoint.id}/subscriptions`);
    return Object.fromEntries(
      body.map((one: { eventTypeName: string; filter: unknown }) => [one.eventTypeName, one.filter]),
    );
  };
  expect(await filters()).toEqual({ 'invoice.line.added': { n: 1 }, 'invoice.paid': { n: 1 }, 'order.placed': null });
  await call('patch', `/endpoints/${endpoint.id}`, { eventTypePatterns: [{ pattern: 'invoice.*', filter: { n: 2 } }] });
  expect(await filters()).toEqual({ 'invoice.line.added': { n: 2 }, 'invoice.paid': { n: 2 }, 'order.placed': null });
});

test('changes of patterns leave a period for traces only where an event may have come in it', async () => {
  const { body: endpoint } = await create({ eventTypes: [{ pattern: 'invoice.*', filter: { n: 1 } }] });
  const change = async (eventTypePatterns: object[]) =>
    expect((await call('patch', `/endpoints/${endpoint.id}`, { eventTypePatterns })).status).toBe(200);
  const kept = () =>
    api.db.endedSubscription.findMany({
      where: { endpointId: uuidOf('ep', endpoint.id) },
      orderBy: { endedAt: 'asc' },
      select: { filter: true, startedAt: true },
    });
  await change([{ pattern: 'invoice.*', filter: { n: 2 } }]);
  await change([]);
  await change([{ pattern: 'invoice.*', filter: { n: 3 } }]);
  expect(await kept()).toEqual([]);
  const [workspace, environment] = [uuidOf('ws', workspaceId), uuidOf('env', environmentId)];
  const event = { workspaceId: workspace, environmentId: environment, payloadSize: 0, published: true };
  await api.db.event.create({ data: { id: newUuid(new Date()), ...event } });
  await change([{ pattern: 'invoice.*', filter: { n: 4 } }]);
  await change([]);
  expect((await kept()).map(({ filter }) => filter)).toEqual([{ n: 3 }, { n: 3 }, { n: 4 }, { n: 4 }]);
});

test('an event that was scheduled before a period, and was due in it, keeps the period', async () => {
  const { body: endpoint } = await create({ eventTypes: ['invoice.*'] });
  const [workspace, environment] = [uuidOf('ws', workspaceId), uuidOf('env', environmentId)];
  const event = { workspaceId: workspace, environmentId: environment, payloadSize: 0, published: true };
  const accepted = new Date(Date.now() - 3_600_000);
  await api.db.event.create({ data: { id: newUuid(accepted), ...event, deliverAt: new Date() } });
  expect((await call('patch', `/endpoints/${endpoint.id}`, { eventTypePatterns: [] })).status).toBe(200);
  expect(await api.db.endedSubscription.count({ where: { endpointId: uuidOf('ep', endpoint.id) } })).toBe(2);
});

test('a portal takes patterns, and shows no subscription to a type that is not published', async () => {
  const portal = await seedPortal(api.db, { workspaceId, environmentId });
  const at = createCaller(api.app, { base: '/api/portal', token: portal.portalToken });
  const { body: type } = await call('post', '/event-types', { name: 'shown.one', publishIn: [environmentId] });
  const made = await at('post', '/endpoints', { url, eventTypes: ['*'] });
  expect(made.status).toBe(201);
  const listed = await at('get', `/endpoints/${made.body.id}/subscriptions`);
  expect(listed.body.map(({ eventTypeId }: { eventTypeId: string }) => eventTypeId)).toEqual([type.id]);
  expect(await names(made.body.id)).toContain('order.placed');
  expect(codeOf(await at('post', '/endpoints', { url, eventTypes: ['order.placed'] }))).toBe('not_found');
});

test('nothing in a portal tells whether a pattern fits a type that is not published', async () => {
  const portal = await seedPortal(api.db, { workspaceId, environmentId });
  const at = createCaller(api.app, { base: '/api/portal', token: portal.portalToken });
  const seen = [];
  for (const eventTypes of [['invoice.*'], ['nothing.*']]) {
    const { id } = (await at('post', '/endpoints', { url, eventTypes })).body;
    const { stats } = (await at('get', `/endpoints/${id}?include=stats`)).body;
    await at('delete', `/endpoints/${id}`);
    const { data } = (await at('get', '/audit-logs')).body;
    seen.push([stats.isSubscribed, data.slice(0, 2).map((entry: Entry) => Object.keys(entry.metadata.changes))]);
  }
  expect(seen[0]).toEqual(seen[1]);
});

type Entry = { metadata: { changes: object } };

test('more endpoints than a page holds get a new type', async () => {
  await api.db.$executeRaw`
    insert into endpoint (id, workspace_id, environment_id, url, event_type_patterns)
    select gen_random_uuid(), ${uuidOf('ws', workspaceId)}::uuid, ${uuidOf('env', environmentId)}::uuid, 'https://a.example/',
      '[{"pattern":"*","filter":null}]'
    from generate_series(1, 1200)`;
  const { body: type } = await call('post', '/event-types', { name: 'wide.one' });
  expect(await api.db.subscription.count({ where: { eventTypeId: uuidOf('evt', type.id) } })).toBe(1_200);
});
