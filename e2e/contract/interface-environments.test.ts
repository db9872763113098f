import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fromId, newUuid } from '@posthorn/contract/ids';
import { codeOf, type Service, startService, unique, type Workspace } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('docs/interface.md, Environment: has exactly its fields, with its prefix and UTC timestamps', async () => {
  const { manage } = service.workspace;
  const slug = unique('staging-');
  const { status, body } = await manage('POST', '/environments', { name: 'Staging', slug });
  expect([status, body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^env_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      name: 'Staging',
      slug,
      isDefault: false,
      requireApplication: false,
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: expect.stringMatching(TIMESTAMP),
    },
  ]);
});

test('docs/interface.md, Environment: a workspace starts with a production environment as its one default', async () => {
  const session = await service.workspace.sessionOf('owner');
  const created = await service.send('POST', '/api/workspaces', {
    token: session,
    body: { name: 'New', slug: unique('new-') },
  });
  expect(created.status).toBe(201);
  const list = await service.send('GET', `/api/workspaces/${created.body.id}/environments`, { token: session });
  expect(list.body).toMatchObject([{ slug: 'production', isDefault: true, requireApplication: false }]);
});

test('docs/interface.md, Workspace: a new workspace may require an application in its first environment', async () => {
  const session = await service.workspace.sessionOf('owner');
  const body = { name: 'New', slug: unique('new-'), requireApplication: true };
  const created = await service.send('POST', '/api/workspaces', { token: session, body });
  const list = await service.send('GET', `/api/workspaces/${created.body.id}/environments`, { token: session });
  expect(list.body).toMatchObject([{ slug: 'production', requireApplication: true }]);
  const audit = await service.send('GET', `/api/workspaces/${created.body.id}/audit-logs`, { token: session });
  expect(JSON.stringify(audit.body)).toContain('"requireApplication":{"from":null,"to":true}');
});

test('docs/interface.md, Visibility entry: a new environment has no event types published, whatever others have', async () => {
  const { manage, make, environmentId } = service.workspace;
  const name = unique('copied.not_');
  const eventTypeId = await make('/event-types', { name, publishIn: [environmentId] });
  const id = await make('/environments', { name: 'Fresh', slug: unique('fresh-') });
  const { status, body } = await manage('GET', `/environments/${id}/event-types`);
  expect(status).toBe(200);
  expect(body).toContainEqual({
    eventTypeId,
    eventType: name,
    eventTypeName: name,
    published: false,
    schemaMode: 'off',
    applications: null,
  });
  expect(body.filter((entry: { published: boolean }) => entry.published)).toEqual([]);
});

test('docs/interface.md, Visibility entry: include=endpoints counts the subscribed endpoints of the environment', async () => {
  const { manage, make, environmentId } = service.workspace;
  const name = unique('counted.by_environment_');
  const eventTypeId = await make('/event-types', { name });
  const elsewhere = await make('/environments', { name: 'Elsewhere', slug: unique('elsewhere-') });
  const ids = [];
  for (const environment of [environmentId, environmentId, elsewhere]) {
    const id = await make('/endpoints', { url: 'https://127.0.0.1/counted', environmentId: environment });
    await manage('POST', `/endpoints/${id}/subscriptions`, { eventTypeIds: [eventTypeId] });
    ids.push(id);
  }
  const entry = async (query: string) => {
    const { body } = await manage('GET', `/environments/${environmentId}/event-types${query}`);
    return body.find((one: { eventTypeName: string }) => one.eventTypeName === name);
  };
  expect(await entry('')).toEqual({
    eventTypeId,
    eventType: name,
    eventTypeName: name,
    published: false,
    schemaMode: 'off',
    applications: null,
  });
  expect(await entry('?include=endpoints')).toMatchObject({ endpoints: 2 });
  await manage('DELETE', `/endpoints/${ids[0]}`);
  expect(await entry('?include=endpoints')).toMatchObject({ endpoints: 1 });
  expect(codeOf(await manage('GET', `/environments/${environmentId}/event-types?include=all`))).toBe(
    'validation_error',
  );
});

test('docs/interface.md, Visibility entry: PUT visibility publishes and unpublishes, answers the entry, and may be repeated', async () => {
  const { manage, make, environmentId } = service.workspace;
  const name = unique('shown.then_hidden_');
  const eventTypeId = await make('/event-types', { name });
  const path = `/environments/${environmentId}/event-types/${eventTypeId}/visibility`;
  for (const published of [true, true, false, false]) {
    const { status, body } = await manage('PUT', path, { published });
    expect([status, body]).toEqual([
      200,
      { eventTypeId, eventType: name, eventTypeName: name, published, schemaMode: 'off', applications: null },
    ]);
    const list = await manage('GET', `/environments/${environmentId}/event-types`);
    expect(list.body).toContainEqual({
      eventTypeId,
      eventType: name,
      eventTypeName: name,
      published,
      schemaMode: 'off',
      applications: null,
    });
  }
  expect(codeOf(await manage('PUT', path, {}))).toBe('validation_error');
  expect(codeOf(await manage('PUT', path, { published: 'true' }))).toBe('validation_error');
});

test('docs/interface.md, Environment: name and slug are required; a slug is lowercase alphanumeric with optional hyphens', async () => {
  const { manage } = service.workspace;
  const create = async (body: object) => codeOf(await manage('POST', '/environments', body));
  for (const body of [{ name: 'A' }, { slug: 'a' }, { name: '', slug: 'a' }, { name: 5, slug: 'a' }]) {
    expect([body, await create(body)]).toEqual([body, 'validation_error']);
  }
  for (const slug of ['', 'A', 'a_b', '-a', 'a-', 'a--b', 'ä', 'a b', 'a\n', 'x'.repeat(51), null, 1]) {
    expect([slug, await create({ name: 'A', slug })]).toEqual([slug, 'validation_error']);
  }
});

test('docs/interface.md, Environment: slugs are unique within a workspace, and free in another', async () => {
  const { manage } = service.workspace;
  const slug = unique('same-');
  expect((await manage('POST', '/environments', { name: 'A', slug })).status).toBe(201);
  const second = await manage('POST', '/environments', { name: 'B', slug });
  expect([second.status, codeOf(second)]).toEqual([409, 'slug_taken']);
  const other = await service.another();
  expect((await other.manage('POST', '/environments', { name: 'A', slug })).status).toBe(201);
});

test('docs/interface.md, Counts: at most 10 in a workspace, even when many are created at once', async () => {
  const { manage } = await service.another();
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => manage('POST', '/environments', { name: `E${n}`, slug: `e-${n}` })),
  );
  const codes = replies.map(codeOf);
  expect(codes.filter((code) => code === 201)).toHaveLength(9);
  expect(codes.filter((code) => code === 'environment_limit_reached')).toHaveLength(11);
  const over = replies.find(({ status }) => status !== 201);
  expect(over?.status).toBe(409);
  const list = await manage('GET', '/environments');
  expect(list.body).toHaveLength(10);
});

test('docs/interface.md, Concepts: deleting an environment removes its API keys and endpoints, and frees its slug and place', async () => {
  const { manage, make, ingest } = service.workspace;
  const slug = unique('doomed-');
  const environmentId = await make('/environments', { name: 'Doomed', slug });
  const endpointId = await make('/endpoints', { url: 'https://127.0.0.1/', environmentId });
  const key = await manage('POST', `/environments/${environmentId}/api-keys`, { name: 'Doomed' });
  expect(key.status).toBe(201);
  const withKey = { authorization: `Bearer ${key.body.key}` };
  expect((await ingest(endpointId, {}, withKey)).status).toBe(202);

  const deleted = await manage('DELETE', `/environments/${environmentId}`);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect(codeOf(await manage('GET', `/endpoints/${endpointId}`))).toBe('not_found');
  expect(codeOf(await manage('GET', `/environments/${environmentId}`))).toBe('not_found');
  expect(codeOf(await manage('GET', `/environments/${environmentId}/event-types`))).toBe('not_found');
  expect(codeOf(await manage('DELETE', `/environments/${environmentId}`))).toBe('not_found');
  expect(codeOf(await manage('GET', `/endpoints?environment_id=${environmentId}`))).toBe('not_found');
  expect((await manage('POST', '/environments', { name: 'Again', slug })).status).toBe(201);
});

test('docs/interface.md, Environment: the default environment cannot be deleted, and nothing of it goes', async () => {
  const { manage, environmentId } = service.workspace;
  const reply = await manage('DELETE', `/environments/${environmentId}`);
  expect([reply.status, codeOf(reply)]).toEqual([409, 'default_environment']);
  expect((await manage('GET', `/environments/${environmentId}`)).body.isDefault).toBe(true);
});

test('docs/interface.md, Environment: listed default first and then oldest first; isDefault true moves the flag', async () => {
  const { manage, make, environmentId } = await service.another();
  const a = await make('/environments', { name: 'A', slug: 'a' });
  const b = await make('/environments', { name: 'B', slug: 'b' });
  const order = async () => (await manage('GET', '/environments')).body.map((one: { id: string }) => one.id);
  expect(await order()).toEqual([environmentId, a, b]);
  expect(codeOf(await manage('PATCH', `/environments/${environmentId}`, { isDefault: false }))).toBe(
    'validation_error',
  );
  const moved = await manage('PATCH', `/environments/${b}`, { isDefault: true });
  expect([moved.status, moved.body.isDefault]).toEqual([200, true]);
  expect(await order()).toEqual([b, environmentId, a]);
  expect((await manage('DELETE', `/environments/${environmentId}`)).status).toBe(204);
  expect(codeOf(await manage('DELETE', `/environments/${b}`))).toBe('default_environment');
});

test('docs/interface.md, Environment: get and update; a taken slug is refused and changes nothing', async () => {
  const { manage, make } = await service.another();
  const id = await make('/environments', { name: 'A', slug: 'a' });
  const renamed = await manage('PATCH', `/environments/${id}`, { name: 'AA', slug: 'aa' });
  expect([renamed.status, renamed.body]).toMatchObject([200, { id, name: 'AA', slug: 'aa', isDefault: false }]);
  expect(codeOf(await manage('PATCH', `/environments/${id}`, { name: 'X', slug: 'production' }))).toBe('slug_taken');
  const got = await manage('GET', `/environments/${id}`);
  expect([got.status, got.body]).toEqual([200, renamed.body]);
  expect((await manage('PATCH', `/environments/${id}`, {})).body).toEqual(renamed.body);
});

describe('promotion', () => {
  type Pair = { workspace: Workspace; a: string; b: string };

  /** A workspace with two environments. `a` is the default one. */
  async function pair(): Promise<Pair> {
    const workspace = await service.another();
    const b = await workspace.make('/environments', { name: 'Live', slug: 'live' });
    return { workspace, a: workspace.environmentId, b };
  }
  const URL_B = 'https://127.0.0.1/b';
  const endpointIn = (workspace: Workspace, environmentId: string, more: object = {}) =>
    workspace.make('/endpoints', { url: 'https://127.0.0.1/a', environmentId, ...more });
  const diff = async ({ workspace, a, b }: Pair) => {
    const { status, body } = await workspace.manage('GET', `/environments/${a}/diff/${b}`);
    expect(status).toBe(200);
    return body;
  };
  const promote = ({ workspace, a, b }: Pair, body: object) =>
    workspace.manage('POST', `/environments/${a}/promote/${b}`, body);
  const nothing = { add: [], remove: [], change: [] };
  const entries = async ({ workspace }: Pair) =>
    (await workspace.manage('GET', '/audit-logs?action=environment.promoted')).body.data;

  test('docs/interface.md, Promotion: the difference names what is published in one environment alone', async () => {
    const both = await pair();
    const { workspace, a, b } = both;
    const here = await workspace.make('/event-types', { name: 'only.here', publishIn: [a] });
    const there = await workspace.make('/event-types', { name: 'only.there', publishIn: [b] });
    await workspace.make('/event-types', { name: 'in.both', publishIn: [a, b] });
    await workspace.make('/event-types', { name: 'in.neither' });
    expect(await diff(both)).toEqual({
      from: a,
      to: b,
      settings: {},
      eventTypes: [
        { eventTypeId: here, name: 'only.here', change: 'publish', from: false, to: true },
        { eventTypeId: there, name: 'only.there', change: 'unpublish', from: true, to: false },
      ],
      endpoints: [],
      sources: [],
    });
    expect((await promote(both, { eventTypes: 'all' })).body.applied.eventTypes).toMatchObject([{ eventTypeId: here }]);
    expect((await diff(both)).eventTypes).toMatchObject([{ eventTypeId: there }]);
    const pruned = await promote(both, { eventTypes: [there], prune: true });
    expect([pruned.status, pruned.body.applied.eventTypes]).toMatchObject([200, [{ change: 'unpublish' }]]);
    expect(await diff(both)).toMatchObject({ eventTypes: [] });
  });

  test('docs/interface.md, Promotion: how payloads are checked is carried, whether the type is published or not', async () => {
    const both = await pair();
    const { workspace, a, b } = both;
    const type = await workspace.make('/event-types', { name: 'checked.type', publishIn: [b] });
    const path = (environment: string) => `/environments/${environment}/event-types/${type}/visibility`;
    await workspace.manage('PUT', path(a), { published: false, schemaMode: 'reject' });
    const change = { eventTypeId: type, name: 'checked.type', change: 'schema_mode', from: 'off', to: 'reject' };
    expect((await diff(both)).eventTypes).toMatchObject([{ change: 'unpublish' }, change]);
    expect((await promote(both, { eventTypes: [type] })).body.applied.eventTypes).toEqual([change]);
    const entry = (await workspace.manage('GET', `/environments/${b}/event-types`)).body[0];
    expect(entry).toMatchObject({ published: true, schemaMode: 'reject' });
  });

  test("docs/interface.md, Promotion: an endpoint of the workspace is created with a url and a secret of its own, a customer's never", async () => {
    const both = await pair();
    const { workspace, a, b } = both;
    const type = await workspace.make('/event-types', { name: 'order.created' });
    const config = { timeoutSeconds: 9, headers: { 'x-tenant': 'a' } };
    const more = { description: 'Orders', metadata: { team: 'x' }, config, authUsername: 'u', authPassword: 'p' };
    const source = await endpointIn(workspace, a, { ...more, secretHeaders: { 'x-key': 'v' } });
    const filter = { amount: { gte: 100 }, note: { ne: 'any text\u0000' } };
    await workspace.manage('POST', `/endpoints/${source}/subscriptions`, { eventTypeIds: [type], filter });
    await workspace.manage('PATCH', `/endpoints/${source}`, { isActive: false });
    await endpointIn(workspace, b);
    const application = await workspace.make('/applications', { name: 'Customer' });
    const customers = await workspace.make(`/applications/${application}/endpoints`, { url: URL_B });
    const change = {
      change: 'create',
      endpointId: source,
      targetEndpointId: null,
      fields: {
        description: { from: null, to: 'Orders' },
        config: { from: null, to: config },
        metadata: { from: null, to: { team: 'x' } },
      },
      subscriptions: {
        ...nothing,
        add: [{ eventTypeId: type, eventType: 'order.created', eventTypeName: 'order.created', filter }],
      },
    };
    expect((await diff(both)).endpoints).toEqual([change]);
    const missing = await promote(both, { endpoints: [{ endpointId: source }] });
    expect([codeOf(missing), missing.body.error.message]).toEqual([
      'validation_error',
      'endpoints[0].url is required, because the endpoint is new',
    ]);
    expect(codeOf(await promote(both, { endpoints: [{ endpointId: customers, url: URL_B }] }))).toBe('not_found');
    const { status, body } = await promote(both, { endpoints: [{ endpointId: source, url: URL_B }] });
    const targetEndpointId = body.applied.endpoints[0].targetEndpointId;
    expect([status, body.applied.endpoints]).toEqual([200, [{ ...change, targetEndpointId }]]);
    const made = (await workspace.manage('GET', `/endpoints/${targetEndpointId}`)).body;
    expect(made).toMatchObject({
      ...{ environmentId: b, url: URL_B, promotedFrom: source, description: 'Orders', config, metadata: { team: 'x' } },
      ...{ isActive: true, hasAuth: false, secretHeaderNames: [], secret: expect.stringMatching(/^whsec_/) },
    });
    const original = (await workspace.manage('GET', `/endpoints/${source}`)).body;
    expect([original.promotedFrom, original.secret === made.secret]).toEqual([null, false]);
    expect((await workspace.manage('GET', `/endpoints/${targetEndpointId}/subscriptions`)).body).toMatchObject([
      { eventTypeId: type, filter },
    ]);
    expect(await diff(both)).toMatchObject({ eventTypes: [], endpoints: [] });
    // A repeated promotion changes nothing: the url is used only for a creation.
    const again = await promote(both, { endpoints: [{ endpointId: source, url: 'https://127.0.0.1/other' }] });
    expect([again.status, again.body.applied.endpoints]).toEqual([200, []]);
    expect(await entries(both)).toHaveLength(1);
  });

  /** Two environments with a promoted endpoint that subscribes to two types. */
  async function promoted(more: object = {}) {
    const both = await pair();
    const { workspace, a } = both;
    const types = [
      await workspace.make('/event-types', { name: 'order.created' }),
      await workspace.make('/event-types', { name: 'order.paid' }),
    ] as const;
    const source = await endpointIn(workspace, a, more);
    await workspace.manage('POST', `/endpoints/${source}/subscriptions`, { eventTypeIds: types });
    const { body } = await promote(both, { endpoints: [{ endpointId: source, url: URL_B }] });
    const target = String(body.applied.endpoints[0].targetEndpointId);
    return { ...both, types, source, target };
  }

  test('docs/interface.md, Promotion: an update carries description, config, metadata and filters; url, secret, activity and credentials stay', async () => {
    const both = await promoted({ config: { timeoutSeconds: 5 } });
    const { workspace, source, target, types } = both;
    const theirs = { secretHeaders: { 'x-own': '1' }, authUsername: 'u', authPassword: 'p', isActive: false };
    await workspace.manage('PATCH', `/endpoints/${target}`, theirs);
    const before = (await workspace.manage('GET', `/endpoints/${target}`)).body;
    const config = { timeoutSeconds: 6, signature: 'standard-ed25519' };
    await workspace.manage('PATCH', `/endpoints/${source}`, {
      url: 'https://127.0.0.1/new',
      description: 'New',
      config,
    });
    await workspace.manage('PATCH', `/endpoints/${source}/subscriptions/${types[0]}`, { filter: { a: 1 } });
    const change = {
      change: 'update',
      endpointId: source,
      targetEndpointId: target,
      fields: {
        description: { from: '', to: 'New' },
        config: { from: { timeoutSeconds: 5 }, to: config },
      },
      subscriptions: {
        ...nothing,
        change: [
          {
            eventTypeId: types[0],
            eventType: 'order.created',
            eventTypeName: 'order.created',
            from: null,
            to: { a: 1 },
          },
        ],
      },
    };
    expect((await diff(both)).endpoints).toEqual([change]);
    const { body } = await promote(both, { endpoints: [{ endpointId: source }] });
    expect(body.applied.endpoints).toEqual([change]);
    const after = (await workspace.manage('GET', `/endpoints/${target}`)).body;
    const publicKey = expect.stringMatching(/^whpk_/);
    const updatedAt = expect.any(String);
    expect(after).toEqual({ ...before, description: 'New', config, publicKey, updatedAt });
    expect((await workspace.manage('GET', `/endpoints/${target}/subscriptions`)).body).toMatchObject([
      { eventTypeId: types[0], filter: { a: 1 } },
      { eventTypeId: types[1], filter: null },
    ]);
    expect(await diff(both)).toMatchObject({ endpoints: [] });
    // The target has this header as a secret one.
    await workspace.manage('PATCH', `/endpoints/${source}`, { config: { headers: { 'X-Own': '2' } } });
    const refused = await promote(both, { endpoints: [{ endpointId: source }] });
    expect([codeOf(refused), refused.body.error.message]).toEqual([
      'validation_error',
      `The endpoint ${target}: secretHeaders.x-own must not be in config.headers too`,
    ]);
  });

  test('docs/interface.md, Promotion: with its config an endpoint takes over fifo, and promoted without it releases what waits', async () => {
    const { workspace, a, b } = await pair();
    const both = { workspace, a: b, b: a };
    const configs = [{ ordering: 'fifo' }, {}, { ordering: 'fifo' }];
    const source = await endpointIn(workspace, b, { config: configs[0] });
    const created = await promote(both, { endpoints: [{ endpointId: source, url: URL_B }] });
    const target = String(created.body.applied.endpoints[0].targetEndpointId);
    const send = async () => (await workspace.ingest(target, {}, { 'x-ordering-key': 'k' })).body.deliveryId;
    const waitingFor = async (id: string) => (await workspace.manage('GET', `/deliveries/${id}`)).body.waitingFor;
    const orderEndedAt = () =>
      service.stack.db.endpoint.findUnique({
        where: { id: fromId('ep', target) ?? '' },
        select: { orderEndedAt: true },
      });
    const [head, second] = [await send(), await send()];
    expect([await waitingFor(head), await waitingFor(second)]).toEqual([null, head]);
    for (const config of configs.slice(1)) {
      await workspace.manage('PATCH', `/endpoints/${source}`, { config });
      expect((await promote(both, { endpoints: [{ endpointId: source }] })).status).toBe(200);
      const isFifo = 'ordering' in config;
      expect(await orderEndedAt()).toEqual({ orderEndedAt: isFifo ? null : expect.any(Date) });
      expect(await waitingFor(await send())).toBe(isFifo ? head : null);
    }
  });

  test('docs/interface.md, Promotion: nothing is deleted, unsubscribed or unpublished without prune, and prune touches the named kinds alone', async () => {
    const both = await promoted();
    const { workspace, a, b, source, target, types } = both;
    const gone = await endpointIn(workspace, a);
    await workspace.manage('POST', `/endpoints/${gone}/subscriptions`, { eventTypeIds: types });
    const second = await promote(both, { endpoints: [{ endpointId: gone, url: URL_B }] });
    const copy = second.body.applied.endpoints[0].targetEndpointId;
    const own = await endpointIn(workspace, b);
    await workspace.manage('DELETE', `/endpoints/${gone}`);
    await workspace.manage('DELETE', `/endpoints/${source}/subscriptions/${types[1]}`);
    const hidden = await workspace.make('/event-types', { name: 'only.there', publishIn: [b] });
    const removal = [{ eventTypeId: types[1], eventType: 'order.paid', eventTypeName: 'order.paid', filter: null }];
    const allOfGone = [
      { eventTypeId: types[0], eventType: 'order.created', eventTypeName: 'order.created', filter: null },
      ...removal,
    ];
    const deletion = { ...empty('delete', gone, copy), subscriptions: { ...nothing, remove: allOfGone } };
    const planned = await diff(both);
    expect(planned.endpoints).toEqual([
      { ...empty('update', source, target), subscriptions: { ...nothing, remove: removal } },
      deletion,
    ]);
    const without = await promote(both, { eventTypes: 'all', endpoints: [{ endpointId: source }] });
    expect(without.body.applied).toEqual({
      ...{ from: a, to: b, settings: {}, eventTypes: [], endpoints: [], sources: [] },
    });
    expect(await diff(both)).toEqual(planned);
    const types1 = await promote(both, { eventTypes: 'all', prune: true });
    expect(types1.body.applied).toMatchObject({ eventTypes: [{ eventTypeId: hidden }], endpoints: [] });
    const pruned = await promote(both, { endpoints: [], prune: true });
    expect(pruned.body.applied.endpoints).toEqual([deletion]);
    const { changes } = (await entries(both))[0].metadata;
    expect(changes).toEqual({
      promotedFrom: { from: null, to: a },
      'endpoints.deleted': { from: null, to: [copy] },
      subscriptions: { from: types.length, to: 0 },
    });
    expect((await workspace.manage('GET', `/endpoints/${copy}`)).status).toBe(404);
    expect((await workspace.manage('GET', `/endpoints/${own}`)).status).toBe(200);
    const named = await promote(both, { endpoints: [{ endpointId: source }], prune: true });
    expect(named.body.applied.endpoints).toMatchObject([{ subscriptions: { remove: removal } }]);
    expect((await workspace.manage('GET', `/endpoints/${target}/subscriptions`)).body).toHaveLength(1);
    expect(await diff(both)).toMatchObject({ eventTypes: [], endpoints: [] });
  });

  const empty = (change: string, endpointId: string, targetEndpointId: string) => {
    return { change, endpointId, targetEndpointId, fields: {}, subscriptions: nothing };
  };

  test('docs/interface.md, Promotion: a dry run tells the same and changes nothing; what nothing names is not touched', async () => {
    const both = await promoted();
    const { workspace, a, b, source } = both;
    const type = await workspace.make('/event-types', { name: 'new.type', publishIn: [a] });
    await workspace.manage('PATCH', `/endpoints/${source}`, { description: 'Other' });
    const body = { eventTypes: [type], endpoints: [{ endpointId: source }] };
    const planned = await diff(both);
    const viewer = await workspace.sessionOf('viewer');
    const path = `/environments/${a}/promote/${b}`;
    const dry = await workspace.dashboard(viewer, 'POST', path, { ...body, dryRun: true });
    expect([dry.status, dry.body.applied]).toEqual([200, planned]);
    expect((await promote(both, {})).body.applied).toMatchObject({ eventTypes: [], endpoints: [] });
    expect(await diff(both)).toEqual(planned);
    const before = (await entries(both)).length;
    const applied = await promote(both, body);
    expect(applied.body.applied).toEqual(planned);
    const [entry, ...others] = await entries(both);
    expect(others).toHaveLength(before);
    expect(entry).toMatchObject({
      resourceType: 'environment',
      resourceId: b,
      metadata: {
        changes: {
          promotedFrom: { from: null, to: a },
          published: { from: null, to: [type] },
          'endpoints.updated': { from: null, to: [both.target] },
        },
      },
    });
  });

  test('docs/interface.md, Promotion: all of it is applied or nothing', async () => {
    const both = await promoted({});
    const { workspace, a, source } = both;
    await workspace.make('/event-types', { name: 'new.type', publishIn: [a] });
    const other = await endpointIn(workspace, a);
    await workspace.manage('PATCH', `/endpoints/${source}`, { description: 'Other' });
    const planned = await diff(both);
    const unknown = 'ep_01jczhk8m3fd8tqv5x0w2b9n4e';
    const wrong: [object[], string][] = [
      [[{ endpointId: source }, { endpointId: other }], 'validation_error'],
      [[{ endpointId: source }, { endpointId: other, url: 'http://127.0.0.1/' }], 'validation_error'],
      [[{ endpointId: source }, { endpointId: other, url: 'https://10.0.0.1/' }], 'validation_error'],
      [[{ endpointId: source }, { endpointId: unknown, url: URL_B }], 'not_found'],
    ];
    for (const [endpoints, code] of wrong) {
      expect([endpoints, codeOf(await promote(both, { eventTypes: 'all', endpoints }))]).toEqual([endpoints, code]);
    }
    const eventTypes = ['evt_01jczhk8m3fd8tqv5x0w2b9n4e'];
    expect(codeOf(await promote(both, { eventTypes, endpoints: [{ endpointId: source }] }))).toBe('not_found');
    const many = Array.from({ length: 101 }, () => ({ endpointId: source }));
    expect(codeOf(await promote(both, { endpoints: many }))).toBe('validation_error');
    expect(await diff(both)).toEqual(planned);
    expect(await entries(both)).toHaveLength(1);
  });

  test('docs/interface.md, Promotion: a playground gets its url from the service', async () => {
    const both = await pair();
    const { workspace, a } = both;
    const config = { playground: { status: 503 } };
    const source = await workspace.make('/endpoints', { type: 'playground', environmentId: a, config });
    const given = await promote(both, { endpoints: [{ endpointId: source, url: URL_B }] });
    expect(codeOf(given)).toBe('validation_error');
    const { body } = await promote(both, { endpoints: [{ endpointId: source }] });
    const id = body.applied.endpoints[0].targetEndpointId;
    const url = `https://playground.invalid/${id}`;
    expect((await workspace.manage('GET', `/endpoints/${id}`)).body).toMatchObject({ type: 'playground', url, config });
  });

  test('docs/interface.md, Promotion: two at once create one endpoint', async () => {
    const both = await pair();
    const source = await endpointIn(both.workspace, both.a);
    const body = { endpoints: [{ endpointId: source, url: URL_B }] };
    const replies = await Promise.all([promote(both, body), promote(both, body), promote(both, body)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { body: endpoints } = await both.workspace.manage('GET', `/endpoints?environment_id=${both.b}`);
    expect(endpoints).toHaveLength(1);
  });

  test('docs/interface.md, Promotion: it needs an admin, and two environments of the workspace', async () => {
    const both = await pair();
    const { workspace, a, b } = both;
    const paths = (from: string, to: string) =>
      [
        ['GET', `/environments/${from}/diff/${to}`],
        ['POST', `/environments/${from}/promote/${to}`],
      ] as const;
    for (const [method, path] of paths(a, b)) {
      const member = await workspace.dashboard(await workspace.sessionOf('member'), method, path);
      const admin = await workspace.dashboard(await workspace.sessionOf('admin'), method, path);
      expect([codeOf(member), admin.status]).toEqual([method === 'GET' ? 200 : 'forbidden', 200]);
    }
    const other = await service.another();
    for (const [method, path] of [...paths(a, other.environmentId), ...paths(other.environmentId, b)]) {
      expect(codeOf(await workspace.manage(method, path))).toBe('not_found');
    }
    for (const [method, path] of paths(a, a))
      expect(codeOf(await workspace.manage(method, path))).toBe('validation_error');
  });

  test('docs/interface.md, Promotion: more than one answer should hold is limit_reached', async () => {
    const both = await pair();
    const { workspace, a } = both;
    const [workspaceId, environmentId] = [fromId('ws', workspace.workspaceId) ?? '', fromId('env', a) ?? ''];
    await service.stack.db.endpoint.createMany({
      data: Array.from({ length: 1_001 }, () => ({
        ...{ id: newUuid(new Date()), workspaceId, environmentId, url: 'https://127.0.0.1/' },
      })),
    });
    const answer = await workspace.manage('GET', `/environments/${a}/diff/${both.b}`);
    expect([codeOf(answer), answer.body.error.message]).toEqual([
      'limit_reached',
      'An environment with more than 1000 endpoints of the workspace itself cannot be compared',
    ]);
    expect(codeOf(await promote(both, { eventTypes: 'all' }))).toBe('limit_reached');
  });
});
