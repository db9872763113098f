import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf, type Service, startService, unique } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('docs/interface.md, Event type: has its fields, null where nothing was given', async () => {
  const { manage } = service.workspace;
  const name = unique('order.created_');
  const { status, body } = await manage('POST', '/event-types', { name });
  expect([status, body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
      name,
      description: null,
      schema: null,
      schemaVersion: 0,
      example: null,
      payloadRetention: 'workspace',
      searchKeys: null,
      agentFilters: null,
      createdAt: expect.stringMatching(/Z$/),
    },
  ]);
  const got = await manage('GET', `/event-types/${body.id}`);
  expect([got.status, got.body]).toEqual([200, body]);
  expect((await manage('GET', '/event-types')).body).toContainEqual(body);
});

test('docs/interface.md, Event type: agentFilters are at most 30 different paths to values of the schema, kept when a later schema lacks them', async () => {
  const { manage } = service.workspace;
  const order = { type: 'object', properties: { country: { enum: ['DE', 'FR'] }, lines: { type: 'array' } } };
  const schema = { type: 'object', properties: { order, note: { type: ['string', 'null'] } } };
  const { body: type } = await manage('POST', '/event-types', { name: unique('order.filtered_'), schema });
  const choose = async (agentFilters: unknown, others: object = {}) => {
    const { status, body } = await manage('PATCH', `/event-types/${type.id}`, { agentFilters, ...others });
    return status === 200 ? body.agentFilters : body.error.message;
  };
  expect(await choose(['order.country', 'note'])).toEqual(['order.country', 'note']);
  expect(await choose([])).toEqual([]);
  expect(await choose(null)).toBeNull();
  const many = Array.from({ length: 31 }, (_, n) => `p${n}`);
  expect(await choose(many)).toBe('agentFilters must have at most 30 paths, or be null');
  expect(await choose(['note', 'note'])).toBe('agentFilters must not have a path twice');
  expect(await choose([''])).toMatch(/^agentFilters\[0\] must be 1 to 256 characters/);
  const leadsNowhere = 'must lead to a string, number, boolean or enum of the schema';
  expect(await choose(['note', 'order.lines'])).toBe(`agentFilters[1] ${leadsNowhere}`);
  expect(await choose(['note'], { schema: null })).toBe(`agentFilters[0] ${leadsNowhere}`);
  expect(await choose(['total'], { schema: { properties: { total: { type: 'number' } } } })).toEqual(['total']);
  const { body: later } = await manage('PATCH', `/event-types/${type.id}`, { schema: null });
  expect(later.agentFilters).toEqual(['total']);
});

test('docs/interface.md, Event type: the name is dot-notation in lowercase', async () => {
  const { manage } = service.workspace;
  for (const name of ['a', 'a.b', 'order_2.created_at', 'x'.repeat(128), '0']) {
    expect([name, codeOf(await manage('POST', '/event-types', { name }))]).toEqual([name, 201]);
  }
  for (const name of [
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    'A',
    'a-b',
    'a b',
    'ä',
    'a\n',
    'a\u0000',
    'x'.repeat(129),
    null,
    7,
  ]) {
    const reply = await manage('POST', '/event-types', { name });
    expect([name, reply.status, codeOf(reply)]).toEqual([name, 400, 'validation_error']);
  }
  const missing = await manage('POST', '/event-types', {});
  expect(missing.body.error.message).toBe('name is required');
});

test('docs/interface.md, Event type: a name is unique in its workspace, also among many at once, and free in another', async () => {
  const { manage } = service.workspace;
  const name = unique('raced.once_');
  const replies = await Promise.all(Array.from({ length: 20 }, () => manage('POST', '/event-types', { name })));
  const codes = replies.map(codeOf);
  expect(codes.filter((code) => code === 201)).toHaveLength(1);
  expect(codes.filter((code) => code === 'event_type_exists')).toHaveLength(19);
  const other = await service.another();
  expect((await other.manage('POST', '/event-types', { name })).status).toBe(201);
});

test('docs/interface.md, Event type: PATCH changes the description; the name cannot be changed', async () => {
  const { manage, make } = service.workspace;
  const name = unique('kept.name_');
  const id = await make('/event-types', { name, description: 'One' });
  const changed = await manage('PATCH', `/event-types/${id}`, { description: 'Two' });
  expect([changed.status, changed.body]).toMatchObject([200, { id, name, description: 'Two' }]);
  for (const refused of [{ name: 'another.name' }, { name: null }]) {
    expect(codeOf(await manage('PATCH', `/event-types/${id}`, { ...refused, description: 'Three' }))).toBe(
      'validation_error',
    );
  }
  expect((await manage('GET', `/event-types/${id}`)).body).toEqual(changed.body);
  // A response can be sent back unchanged.
  expect(
    (await manage('PATCH', `/event-types/${id}`, { ...changed.body, description: null })).body.description,
  ).toBeNull();
});

test('docs/interface.md, Event type: one with subscriptions cannot be deleted until they are removed', async () => {
  const { manage, makeRoute } = service.workspace;
  const { eventTypeId, endpointId } = await makeRoute('https://127.0.0.1/');
  const refused = await manage('DELETE', `/event-types/${eventTypeId}`);
  expect([refused.status, codeOf(refused)]).toEqual([409, 'event_type_in_use']);
  await manage('PATCH', `/endpoints/${endpointId}`, { isActive: false });
  expect(codeOf(await manage('DELETE', `/event-types/${eventTypeId}`))).toBe('event_type_in_use');
  await manage('DELETE', `/endpoints/${endpointId}/subscriptions/${eventTypeId}`);
  const deleted = await manage('DELETE', `/event-types/${eventTypeId}`);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect(codeOf(await manage('GET', `/event-types/${eventTypeId}`))).toBe('not_found');
});

test("docs/interface.md, Event type: a deleted endpoint's subscriptions do not keep a type; its name is free again", async () => {
  const { manage, makeRoute } = service.workspace;
  const { eventType, eventTypeId, endpointId } = await makeRoute('https://127.0.0.1/');
  await manage('DELETE', `/endpoints/${endpointId}`);
  expect((await manage('DELETE', `/event-types/${eventTypeId}`)).status).toBe(204);
  expect((await manage('POST', '/event-types', { name: eventType })).status).toBe(201);
});

test('docs/interface.md, Event type: the dashboard creates them with a session token', async () => {
  const { dashboard, sessionOf, manage } = service.workspace;
  const session = await sessionOf('member');
  const created = await dashboard(session, 'POST', '/event-types', { name: unique('from.dashboard_') });
  expect(created.status).toBe(201);
  expect((await manage('GET', `/event-types/${created.body.id}`)).body).toEqual(created.body);
});

test('docs/interface.md, Visibility entry: publishIn publishes at creation; an unknown one is 404 and nothing is created', async () => {
  const { manage, environmentId } = service.workspace;
  const name = unique('published.at_creation_');
  const unknown = { name, publishIn: [environmentId, 'env_01jczhk8m3fd8tqv5x0w2b9n4e'] };
  const refused = await manage('POST', '/event-types', unknown);
  expect([refused.status, refused.body.error.message]).toEqual([404, 'Environment not found']);
  const { body } = await manage('POST', '/event-types', { name, publishIn: [environmentId] });
  expect((await manage('GET', `/environments/${environmentId}/event-types`)).body).toContainEqual({
    eventTypeId: body.id,
    eventType: name,
    eventTypeName: name,
    published: true,
    schemaMode: 'off',
    applications: null,
  });
});

const order = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, total: { type: 'number' } } };

test('docs/interface.md, Event type: PATCH with a schema tells its changes and the faults of the example; dryRun=true only tells', async () => {
  const { manage, make } = service.workspace;
  const id = await make('/event-types', { name: unique('with.schema_'), schema: order, example: { id: 1 } });
  const schema = { ...order, required: [] };
  const changes = [{ path: '/id', change: 'required', breaking: true, detail: expect.any(String) }];
  const told = await manage('PATCH', `/event-types/${id}?dryRun=true`, { schema });
  expect([told.status, told.body]).toMatchObject([
    200,
    { schema, schemaVersion: 2, schemaChanges: changes, exampleErrors: ['/id must be string'] },
  ]);
  expect((await manage('GET', `/event-types/${id}`)).body).toMatchObject({ schema: order, schemaVersion: 1 });
  expect((await manage('PATCH', `/event-types/${id}`, { schema })).body).toEqual(told.body);
  expect((await manage('GET', `/event-types/${id}`)).body).toMatchObject({ schema, schemaVersion: 2 });
});

test('docs/interface.md, Schema checks: reject refuses, warn tells, off does not look; a bad schema names the place', async () => {
  const { manage, ingest, make, environmentId } = service.workspace;
  const name = unique('checked.type_');
  const id = await make('/event-types', { name, schema: order });
  const path = `/environments/${environmentId}/event-types/${id}/visibility`;
  const set = (schemaMode: string) => manage('PUT', path, { published: true, schemaMode });
  expect((await set('reject')).body).toMatchObject({ published: true, schemaMode: 'reject' });
  const refused = await ingest(`event/${name}`, { total: 'x' });
  expect([refused.status, refused.body]).toEqual([
    422,
    { error: { code: 'schema_violation', message: '/id is required; /total must be number' } },
  ]);
  expect((await ingest(`event/${name}`, { id: 'A' })).body.schemaErrors).toEqual([]);
  await set('warn');
  const answerOf = async () => (await ingest(`event/${name}`, {})).body;
  let warned = await answerOf();
  while (warned.error !== undefined) warned = await answerOf();
  expect(warned.schemaErrors).toEqual(['/id is required']);
  expect((await manage('GET', `/events/${warned.id}`)).body.schemaErrors).toEqual(['/id is required']);
  expect((await manage('PUT', path, { published: true })).body.schemaMode).toBe('warn');
  await set('off');
  let unchecked = await answerOf();
  while (unchecked.schemaErrors !== null) unchecked = await answerOf();
  const bad = await manage('PATCH', `/event-types/${id}`, { schema: { properties: { total: { minimum: '0' } } } });
  expect(bad.body.error).toEqual({
    code: 'validation_error',
    message: 'schema.properties.total.minimum must be a number',
    details: [
      { field: 'schema.properties.total.minimum', message: 'schema.properties.total.minimum must be a number' },
    ],
  });
});

test('docs/interface.md, Catalogue: the published types, one of them, and all as an OpenAPI document', async () => {
  const workspace = await service.another();
  const { manage, make, environmentId } = workspace;
  const name = unique('listed.type_');
  const id = await make('/event-types', { name, schema: order, publishIn: [environmentId] });
  const hidden = await make('/event-types', { name: unique('hidden.type_') });
  const path = `/environments/${environmentId}/catalog`;
  const listed = await manage('GET', path);
  expect([listed.status, listed.body]).toMatchObject([200, [{ id, name, schema: order, example: null }]]);
  expect((await manage('GET', `${path}/${id}`)).body).toEqual(listed.body[0]);
  expect(codeOf(await manage('GET', `${path}/${hidden}`))).toBe('not_found');
  const document = await manage('GET', `${path}/openapi.json`);
  expect([document.status, document.body]).toMatchObject([
    200,
    {
      openapi: '3.1.0',
      webhooks: { [name]: { post: { operationId: name } } },
      components: { schemas: { [name]: order } },
    },
  ]);
});
