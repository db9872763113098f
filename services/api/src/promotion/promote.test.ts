import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, managementCaller } from '../../test/caller.ts';
import { uuidOf } from '../../test/people.ts';

const MAX_ENDPOINTS = 22;
const url = 'https://127.0.0.1/';

const api = await startApi({ maxEndpointsPerWorkspace: MAX_ENDPOINTS, rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
let staging: string;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
  staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
});

const promote = (endpoints: object[], prune = false) =>
  call('post', `/environments/${workspace.environmentId}/promote/${staging}`, { endpoints, prune });

/** Fills the target environment, so that the workspace has this many endpoints. */
async function fillUp(count: number, type: string) {
  const place = { workspaceId: uuidOf('ws', workspace.workspaceId), environmentId: uuidOf('env', staging) };
  const have = await api.db.endpoint.count({ where: { workspaceId: place.workspaceId, deletedAt: null } });
  await api.db.endpoint.createMany({
    data: Array.from({ length: count - have }, () => ({ id: newUuid(new Date()), ...place, url, type })),
  });
}

test.each([
  ['endpoints', { url }, 'webhook'],
  ['playgrounds', { type: 'playground' }, 'playground'],
])('at the limit of %s, a promotion that creates one and deletes one is made', async (_what, body, type) => {
  const given = 'url' in body ? { url } : {};
  const former = (await call('post', '/endpoints', body)).body.id;
  expect((await promote([{ endpointId: former, ...given }])).status).toBe(200);
  await call('delete', `/endpoints/${former}`);
  const next = (await call('post', '/endpoints', body)).body.id;
  // For playgrounds: one here, and 20 in the target environment.
  await fillUp(type === 'playground' ? 21 : MAX_ENDPOINTS, type);
  expect(codeOf(await promote([{ endpointId: next, ...given }]))).toBe('limit_reached');
  const { body: made, status } = await promote([{ endpointId: next, ...given }, { endpointId: former }], true);
  expect([status, made.applied?.endpoints.map(({ change }: { change: string }) => change).sort()]).toEqual([
    200,
    ['create', 'delete'],
  ]);
});

test('an endpoint that is named twice is refused, because only one of its addresses could be used', async () => {
  const { id } = (await call('post', '/endpoints', { url, externalId: 'shop' })).body;
  for (const again of [id, 'ext:shop']) {
    const answer = await promote([
      { endpointId: id, url },
      { endpointId: again, url: `${url}other` },
    ]);
    expect([codeOf(answer), answer.body.error.message]).toEqual([
      'validation_error',
      'endpoints[1].endpointId must not be given twice',
    ]);
  }
});

test('the place of a new endpoint obeys the rules of addresses, also in a dry run', async () => {
  const credentials = { username: 'events', password: 'a' };
  const endpoint = { type: 'rabbitmq', credentials, config: { destination: { host: '127.0.0.1' } } };
  const { id } = (await call('post', '/endpoints', endpoint)).body;
  for (const [destination, words] of [
    [{ host: '10.0.0.1' }, 'must not point to a private or reserved address'],
    [{ host: '127.0.0.1', port: 6379 }, 'must not use port 6379'],
    [{ host: '127.0.0.1', vhost: '€'.repeat(100) }, '.vhost has more than 255 bytes'],
    [{ host: '127.0.0.1', vhost: 'a\nb' }, '.vhost must not contain control characters'],
  ] as const) {
    for (const dryRun of [true, false]) {
      const body = { endpoints: [{ endpointId: id, destination }], dryRun };
      const reply = await call('post', `/environments/${workspace.environmentId}/promote/${staging}`, body);
      expect([codeOf(reply), reply.body.error?.message]).toEqual([
        'validation_error',
        expect.stringContaining(`endpoints[0].destination`),
      ]);
      expect(reply.body.error?.message).toContain(words);
    }
  }
  const destination = { host: '127.0.0.1' };
  expect((await promote([{ endpointId: id, destination }])).status).toBe(200);
});

test('the place of an endpoint that exists already is not used, like its url', async () => {
  const credentials = { username: 'events', password: 'a' };
  const given = { type: 'rabbitmq', credentials, config: { destination: { host: '127.0.0.1' } } };
  const broker = (await call('post', '/endpoints', given)).body.id;
  const webhook = (await call('post', '/endpoints', { url })).body.id;
  const both = [
    { endpointId: broker, destination: { host: '127.0.0.1' } },
    { endpointId: webhook, url },
  ];
  const made = await promote(both);
  const created = { change: 'create' };
  expect([made.status, made.body.applied?.endpoints]).toMatchObject([200, [created, created]]);
  expect((await promote(both)).body.applied?.endpoints).toEqual([]);
  await call('patch', `/endpoints/${broker}`, { description: 'Orders' });
  expect((await promote(both)).body.applied?.endpoints).toMatchObject([{ change: 'update', endpointId: broker }]);
  const wrong = await promote([{ endpointId: webhook, url, destination: { host: '127.0.0.1' } }]);
  expect(wrong.body.error?.message).toBe('endpoints[0].destination is not for a webhook endpoint');
});

test('a subscription that a pattern made is the endpoint’s own once a promotion has changed its filter', async () => {
  const eventTypeId = (await call('post', '/event-types', { name: 'order.placed' })).body.id;
  const source = (await call('post', '/endpoints', { url })).body.id;
  await call('post', `/endpoints/${source}/subscriptions`, { eventTypeIds: [eventTypeId], filter: { n: 1 } });
  const made = await promote([{ endpointId: source, url }]);
  const target = `/endpoints/${made.body.applied.endpoints[0].targetEndpointId}`;
  await call('delete', `${target}/subscriptions/${eventTypeId}`);
  await call('patch', target, { eventTypePatterns: ['*'] });
  const subscribed = async () => (await call('get', `${target}/subscriptions`)).body;
  expect(await subscribed()).toMatchObject([{ eventTypeId, filter: null, pattern: '*' }]);
  expect((await promote([{ endpointId: source }])).status).toBe(200);
  expect(await subscribed()).toMatchObject([{ eventTypeId, filter: { n: 1 }, pattern: null }]);
  await call('patch', target, { eventTypePatterns: [] });
  expect(await subscribed()).toMatchObject([{ eventTypeId, filter: { n: 1 }, pattern: null }]);
});

describe('patterns', () => {
  const placed = { pattern: 'order.*', filter: { paid: true } };
  const diff = async () =>
    (await call('get', `/environments/${workspace.environmentId}/diff/${staging}`)).body.endpoints as object[];
  const create = async (...eventTypes: unknown[]): Promise<string> =>
    (await call('post', '/endpoints', { url, ...(eventTypes.length > 0 && { eventTypes }) })).body.id;
  const createType = async (name: string): Promise<string> => (await call('post', '/event-types', { name })).body.id;
  const patch = (id: string, ...eventTypePatterns: unknown[]) =>
    call('patch', `/endpoints/${id}`, { eventTypePatterns });
  const patternsOf = async (id: string) => (await call('get', `/endpoints/${id}`)).body.eventTypePatterns;
  async function subscriptionsOf(id: string): Promise<unknown[]> {
    const { body } = await call('get', `/endpoints/${id}/subscriptions`);
    return body
      .map((one: { eventTypeName: string; filter: unknown; pattern: unknown }) => [
        one.eventTypeName,
        one.filter,
        one.pattern,
      ])
      .sort();
  }
  async function promoted(source: string): Promise<string> {
    return (await promote([{ endpointId: source, url }])).body.applied.endpoints[0].targetEndpointId;
  }

  test('are promoted: a type that is created later reaches both endpoints, with the filter of the pattern', async () => {
    await createType('order.placed');
    const source = await create(placed);
    const made = { from: null, to: [placed] };
    expect(await diff()).toMatchObject([{ change: 'create', fields: { eventTypePatterns: made } }]);
    const target = await promoted(source);
    await createType('order.paid');
    for (const id of [source, target]) {
      expect([await patternsOf(id), await subscriptionsOf(id)]).toEqual([
        [placed],
        [
          ['order.paid', { paid: true }, 'order.*'],
          ['order.placed', { paid: true }, 'order.*'],
        ],
      ]);
    }
    expect(await diff()).toEqual([]);
  });

  test('are a difference by themselves, and their order is one', async () => {
    const source = await create(placed);
    const target = await promoted(source);
    const all = { pattern: '*', filter: null };
    for (const [from, to] of [
      [[placed], [placed, all]],
      [
        [placed, all],
        [all, placed],
      ],
    ] as const) {
      await patch(source, ...to);
      const update = { change: 'update', fields: { eventTypePatterns: { from, to } } };
      expect(await diff()).toMatchObject([update]);
      expect((await promote([{ endpointId: source }])).body.applied.endpoints).toMatchObject([update]);
      expect([await patternsOf(target), await diff()]).toEqual([to, []]);
    }
  });

  test('of the target stay without prune, and go with it, with what they made', async () => {
    await createType('order.placed');
    const invoice = await createType('invoice.paid');
    const own = { pattern: 'invoice.*', filter: null };
    const source = await create();
    const target = await promoted(source);
    await patch(target, own);
    await call('post', `/endpoints/${source}/subscriptions`, { eventTypeIds: [invoice] });
    await patch(source, placed);
    const applied = async (prune: boolean) => (await promote([{ endpointId: source }], prune)).body.applied.endpoints;
    expect(await applied(false)).toMatchObject([
      { fields: { eventTypePatterns: { from: [own], to: [placed, own] } }, subscriptions: { change: [], remove: [] } },
    ]);
    // The source has this subscription on its own, so it outlives the pattern here, too.
    const kept = ['invoice.paid', null, null];
    const made = ['order.placed', placed.filter, 'order.*'];
    expect([await patternsOf(target), await subscriptionsOf(target)]).toEqual([
      [placed, own],
      [kept, made],
    ]);
    expect(await applied(false)).toEqual([]);
    await createType('invoice.sent');
    expect(await applied(true)).toMatchObject([
      {
        fields: { eventTypePatterns: { from: [placed, own], to: [placed] } },
        subscriptions: { remove: [{ eventTypeName: 'invoice.sent' }] },
      },
    ]);
    expect([await patternsOf(target), await subscriptionsOf(target), await diff()]).toEqual([
      [placed],
      [kept, made],
      [],
    ]);
  });

  test('leave out in the target what was left out in the source', async () => {
    await createType('order.placed');
    const source = await create('order.*');
    const left = await createType('order.paid');
    await call('delete', `/endpoints/${source}/subscriptions/${left}`);
    const target = await promoted(source);
    expect(await subscriptionsOf(target)).toEqual([['order.placed', null, 'order.*']]);
    expect(await diff()).toEqual([]);
  });
});

test('a standard signature is not promoted to an endpoint whose secret has another form', async () => {
  const { id } = (await call('post', '/endpoints', { url, config: { signature: 'github' } })).body;
  const made = await promote([{ endpointId: id, url }]);
  const target = made.body.applied.endpoints[0].targetEndpointId;
  const rotate = (body: object) => call('post', `/endpoints/${target}/secret/rotate`, body);
  expect((await rotate({ secret: 'the secret of their receiver', gracePeriodSeconds: 0 })).status).toBe(200);
  expect((await call('patch', `/endpoints/${id}`, { config: {} })).status).toBe(200);
  const refused = await promote([{ endpointId: id }]);
  expect([codeOf(refused), refused.body.error?.message]).toEqual([
    'validation_error',
    expect.stringContaining(`The endpoint ${target}: config.signature needs a secret`),
  ]);
  expect((await rotate({ gracePeriodSeconds: 0 })).status).toBe(200);
  expect((await promote([{ endpointId: id }])).status).toBe(200);
});

test('a promotion creates only types that may be created', async () => {
  const limited = await startApi({ settings: { ENDPOINT_TYPES: ['webhook'] } });
  try {
    const ask = managementCaller(limited.app, limited);
    const target = (await ask('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
    const id = newUuid(new Date());
    const place = {
      workspaceId: uuidOf('ws', limited.workspaceId),
      environmentId: uuidOf('env', limited.environmentId),
    };
    await limited.db.endpoint.create({ data: { id, ...place, url, type: 'playground' } });
    const reply = await ask('post', `/environments/${limited.environmentId}/promote/${target}`, {
      endpoints: [{ endpointId: toId('ep', id) }],
    });
    expect([codeOf(reply), reply.body.error?.message]).toEqual([
      'validation_error',
      'type must be one that may be created here: webhook',
    ]);
  } finally {
    await limited.stop();
  }
});
