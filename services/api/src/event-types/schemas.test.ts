import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, managementCaller } from '../../test/caller.ts';
import { seedPerson, seedPortal, uuidOf } from '../../test/people.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;

const order = {
  type: 'object',
  required: ['id', 'total'],
  properties: { id: { type: 'string' }, total: { type: 'number' }, currency: { enum: ['EUR'] } },
};

const doors = {
  management: () => managementCaller(api.app, workspace),
  dashboard: async () => {
    const { sessionToken } = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'member' });
    return createCaller(api.app, { base: `/api/workspaces/${workspace.workspaceId}`, token: sessionToken });
  },
};

const entries = async () => {
  const where = { workspaceId: uuidOf('ws', workspace.workspaceId) };
  return api.db.auditEntry.findMany({ where, orderBy: { id: 'asc' } });
};
const ingest = (name: string, body: unknown, headers: Record<string, string> = {}) => {
  const call = request(api.app).post(`/api/ingest/event/${name}`).set('authorization', `Bearer ${workspace.apiKey}`);
  for (const [header, value] of Object.entries(headers)) call.set(header, value);
  return call
    .set('content-type', headers['content-type'] ?? 'application/json')
    .send(typeof body === 'string' ? body : JSON.stringify(body));
};

describe.each(['management', 'dashboard'] as const)('at the %s interface', (door) => {
  let call: Caller;
  beforeEach(async () => {
    workspace = await api.seedAnother();
    call = await doors[door]();
  });
  const create = async (more: object = {}, name = 'order.created') =>
    (await call('post', '/event-types', { name, schema: order, ...more })).body;
  const visible = (id: string, body: object) =>
    call('put', `/environments/${workspace.environmentId}/event-types/${id}/visibility`, body);

  test('a schema is kept as it is; its version counts its changes', async () => {
    const made = await create();
    expect([made.schemaVersion, JSON.stringify(made.schema)]).toEqual([1, JSON.stringify(order)]);
    const path = `/event-types/${made.id}`;
    expect((await call('get', path)).body).toEqual(made);
    expect((await call('patch', path, { schema: order })).body).toEqual({
      ...made,
      schemaChanges: [],
      exampleErrors: null,
    });
    expect((await call('patch', path, { schema: { type: 'object' } })).body.schemaVersion).toBe(2);
    expect((await call('patch', path, { description: 'Other' })).body).toMatchObject({
      schemaVersion: 2,
      schema: { type: 'object' },
    });
    expect((await call('patch', path, { schema: null })).body).toMatchObject({ schemaVersion: 3, schema: null });
    const changes = (await entries()).map(({ action, metadata }) => [action, metadata]);
    expect(changes).toMatchObject([
      ['event_type.created', { changes: { schema: { from: null, to: order } } }],
      [
        'event_type.updated',
        { changes: { schemaVersion: { from: 1, to: 2 }, schema: { from: order, to: { type: 'object' } } } },
      ],
      ['event_type.updated', { changes: { description: { to: 'Other' } } }],
      ['event_type.updated', { changes: { schemaVersion: { from: 2, to: 3 }, schema: { to: null } } }],
    ]);
  });

  test('a type without a schema has version 0', async () => {
    expect((await call('post', '/event-types', { name: 'a.b' })).body).toMatchObject({
      schema: null,
      schemaVersion: 0,
    });
  });

  test.each<[unknown, string]>([
    [{ properties: { total: { type: 'money' } } }, 'schema.properties.total.type must be one of null, boolean, object'],
    [{ $ref: 'https://example.com/a' }, 'schema.$ref must refer to a place in this schema: none is fetched'],
    [{ not: { pattern: '(a)\\1' } }, 'schema.not.pattern must not be a pattern that refers back to a group'],
    [{ $comment: 'x'.repeat(65_536) }, 'schema must be at most 64 KiB'],
    [true, 'schema must be an object'],
    [[], 'schema must be an object'],
    ['{}', 'schema must be an object'],
  ])('%.60j is refused, naming the place, and nothing is changed', async (schema, message) => {
    const refused = await call('post', '/event-types', { name: 'order.created', schema });
    expect([refused.status, codeOf(refused)]).toEqual([400, 'validation_error']);
    expect(refused.body.error.message).toContain(message);
    expect((await call('get', '/event-types')).body).toEqual([]);
    const made = await create();
    expect(codeOf(await call('patch', `/event-types/${made.id}`, { schema, description: 'Other' }))).toBe(
      'validation_error',
    );
    expect((await call('get', `/event-types/${made.id}`)).body).toEqual(made);
  });

  test('a pattern that cannot be checked is named in the answer, and kept', async () => {
    const schema = { properties: { code: { pattern: '(?<=a)b' } } };
    const schemaWarnings = [
      { path: 'schema.properties.code.pattern', message: expect.stringContaining('looks ahead') },
    ];
    const made = await create({ schema });
    expect(made).toMatchObject({ schema, schemaWarnings });
    const { schemaWarnings: _, ...kept } = made;
    expect((await call('get', `/event-types/${made.id}`)).body).toEqual(kept);
    const dry = await call('patch', `/event-types/${made.id}?dryRun=true`, { schema });
    expect(dry.body).toMatchObject({ schemaWarnings });
  });

  test('a PATCH with a schema tells its changes, the breaking ones first, and the faults of the example', async () => {
    const made = await create({ example: { id: 'A' } });
    const schema = { ...order, required: ['id'], properties: { id: { type: 'string' }, note: {} } };
    const { body } = await call('patch', `/event-types/${made.id}`, { schema });
    expect(body.schemaChanges).toEqual([
      { path: '/total', change: 'removed', breaking: true, detail: 'is no longer described' },
      { path: '/currency', change: 'removed', breaking: true, detail: 'is no longer described' },
      { path: '/note', change: 'added', breaking: false, detail: 'is described now' },
    ]);
    expect(body.exampleErrors).toEqual([]);
    const other = await call('patch', `/event-types/${made.id}`, { schema: order });
    expect(other.body.exampleErrors).toEqual(['/total is required']);
  });

  test('dryRun=true only tells', async () => {
    const made = await create({ example: {} });
    const before = (await entries()).length;
    const { status, body } = await call('patch', `/event-types/${made.id}?dryRun=true`, { schema: { type: 'array' } });
    expect([status, body.schemaVersion, body.schema]).toEqual([200, 2, { type: 'array' }]);
    expect(body.schemaChanges[0]).toMatchObject({ path: '', change: 'type', breaking: true });
    expect(body.exampleErrors).toEqual(['The payload must be array']);
    expect((await call('get', `/event-types/${made.id}`)).body).toEqual(made);
    expect(await entries()).toHaveLength(before);
    expect(codeOf(await call('patch', `/event-types/${made.id}?dryRun=1`, {}))).toBe('validation_error');
    expect(codeOf(await call('patch', `/event-types/${made.id}?dryRun=true`, { schema: { type: 1 } }))).toBe(
      'validation_error',
    );
    // A body cannot ask for it, and no change is made instead.
    expect(codeOf(await call('patch', `/event-types/${made.id}`, { dryRun: true, schema: {} }))).toBe(
      'validation_error',
    );
    expect((await call('get', `/event-types/${made.id}`)).body).toEqual(made);
  });

  test('the visibility entry has the mode: off at first, kept by a PUT without it, even while unpublished', async () => {
    const made = await create();
    const list = async () => (await call('get', `/environments/${workspace.environmentId}/event-types`)).body;
    const type = { eventTypeId: made.id, eventType: 'order.created', eventTypeName: 'order.created' };
    const entry = { ...type, applications: null };
    expect(await list()).toEqual([{ ...entry, published: false, schemaMode: 'off' }]);
    expect((await visible(made.id, { published: true, schemaMode: 'reject' })).body).toEqual({
      ...entry,
      published: true,
      schemaMode: 'reject',
    });
    expect((await visible(made.id, { published: false })).body).toEqual({
      ...entry,
      published: false,
      schemaMode: 'reject',
    });
    expect((await visible(made.id, { published: true })).body.schemaMode).toBe('reject');
    expect((await visible(made.id, { published: true, schemaMode: 'warn' })).body.schemaMode).toBe('warn');
    expect(await list()).toEqual([{ ...entry, published: true, schemaMode: 'warn' }]);
    await visible(made.id, { published: true, schemaMode: 'warn' });
    expect((await visible(made.id, { published: true, schemaMode: 'off' })).body.schemaMode).toBe('off');
    expect(codeOf(await visible(made.id, { published: true, schemaMode: 'on' }))).toBe('validation_error');
    const told = (await entries()).slice(1).map(({ action, metadata }) => [action, metadata]);
    expect(told).toMatchObject([
      ['event_type.published', { changes: { published: { to: true }, schemaMode: { from: 'off', to: 'reject' } } }],
      ['event_type.unpublished', { changes: { published: { to: false } } }],
      ['event_type.published', { changes: { published: { to: true } } }],
      ['event_type.updated', { changes: { schemaMode: { from: 'reject', to: 'warn' } } }],
      ['event_type.updated', { changes: { schemaMode: { from: 'warn', to: 'off' } } }],
    ]);
  });

  test('reject: what does not fit is schema_violation with the first three places, and nothing is stored', async () => {
    const { id } = await create({ schema: { required: ['a', 'b', 'c', 'd'], properties: { a: { type: 'number' } } } });
    await visible(id, { published: true, schemaMode: 'reject' });
    const count = await api.db.event.count();
    const refused = await ingest('order.created', { a: 'x' }, { 'idempotency-key': 'key-1' });
    expect([refused.status, refused.body.error]).toEqual([
      422,
      { code: 'schema_violation', message: '/b is required; /c is required; /d is required; …' },
    ]);
    const one = await ingest('order.created', { a: '1', b: 1, c: 1, d: 1 });
    expect([one.status, one.body.error.message]).toEqual([422, '/a must be number']);
    expect(await api.db.event.count()).toBe(count);
    const fits = await ingest('order.created', { a: 1, b: 1, c: 1, d: 1 }, { 'idempotency-key': 'key-1' });
    expect([fits.status, fits.body.schemaErrors]).toEqual([202, []]);
  });

  test('a payload that is not JSON does not fit any schema', async () => {
    const { id } = await create({ schema: {} });
    await visible(id, { published: true, schemaMode: 'reject' });
    for (const [body, contentType] of [
      ['{}', 'text/plain'],
      ['', 'application/json'],
    ] as const) {
      const refused = await ingest('order.created', body, { 'content-type': contentType });
      expect([refused.status, refused.body.error.message]).toEqual([422, 'The payload must be JSON']);
    }
    expect((await ingest('order.created', '{}', { 'content-type': 'application/vnd.acme+json' })).status).toBe(202);
  });

  test('warn: accepted, and the faults, at most 10, are in the answer, in its repetition and on the event', async () => {
    const { id } = await create();
    await visible(id, { published: true, schemaMode: 'warn' });
    const first = await ingest('order.created', { id: 1 }, { 'idempotency-key': 'key-2' });
    expect([first.status, first.body.schemaErrors]).toEqual([202, ['/total is required', '/id must be string']]);
    const again = await ingest('order.created', { id: 1 }, { 'idempotency-key': 'key-2' });
    expect(again.body).toEqual({ ...first.body, duplicate: true });
    expect((await call('get', `/events/${first.body.id}`)).body.schemaErrors).toEqual(first.body.schemaErrors);
    expect((await call('get', '/events')).body.events[0].schemaErrors).toEqual(first.body.schemaErrors);
    await call('patch', `/event-types/${id}`, { schema: { items: { type: 'string' } } });
    expect(await eventually(() => ingest('order.created', Array(50).fill(1)))).toHaveLength(10);
  });

  test('keys of a payload are named to its producer and to readers of payloads alone, and are stored sealed', async () => {
    const closed = { ...order, additionalProperties: false, required: ['total'] };
    const { id } = await create({ schema: closed });
    await visible(id, { published: true, schemaMode: 'warn' });
    const sent = await ingest('order.created', { 'ann@patient.test': 1, id: 1 }, { 'idempotency-key': 'key-3' });
    const named = ['/total is required', '/id must be string', '/ann@patient.test is not allowed'];
    expect(sent.body.schemaErrors).toEqual(named);
    const again = await ingest('order.created', { 'ann@patient.test': 1, id: 1 }, { 'idempotency-key': 'key-3' });
    expect(again.body.schemaErrors).toEqual(named);
    expect((await call('get', '/events')).body.events[0].schemaErrors).toEqual(named);
    const { sessionToken } = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'viewer' });
    const view = createCaller(api.app, { base: `/api/workspaces/${workspace.workspaceId}`, token: sessionToken });
    const shown = ['/total is required', '/id must be string', '/* is not allowed'];
    expect((await view('get', `/events/${sent.body.id}`)).body.schemaErrors).toEqual(shown);
    expect((await view('get', '/events')).body.events[0].schemaErrors).toEqual(shown);
    const [stored] = await api.db.$queryRaw<{ found: boolean }[]>`
      select exists (select from event where schema_errors::text like '%patient%')
        or exists (select from idempotency_record where schema_errors::text like '%patient%') as found`;
    expect(stored?.found).toBe(false);
  });

  test('nothing is checked without a schema, in the mode off, and in another environment', async () => {
    const { id } = await create({ schema: null });
    await visible(id, { published: true, schemaMode: 'reject' });
    const unchecked = await ingest('order.created', 'text', { 'content-type': 'text/plain' });
    expect([unchecked.status, unchecked.body.schemaErrors]).toEqual([202, null]);
    expect((await call('get', `/events/${unchecked.body.id}`)).body.schemaErrors).toBeNull();
    const off = await create({ publishIn: [workspace.environmentId] }, 'order.paid');
    expect((await ingest('order.paid', {})).body.schemaErrors).toBeNull();
    expect(off.schemaVersion).toBe(1);
  });

  test('an unpublished type is checked, too', async () => {
    const { id } = await create();
    await visible(id, { published: false, schemaMode: 'reject' });
    expect((await ingest('order.created', {})).status).toBe(422);
    expect((await ingest('order.created', { id: 'A', total: 1 })).body).toMatchObject({
      published: false,
      schemaErrors: [],
    });
  });

  test('in a batch only the item that does not fit is refused', async () => {
    const { id } = await create();
    await visible(id, { published: true, schemaMode: 'reject' });
    const events = [{ id: 'A', total: 1 }, { id: 'A' }, { id: 'B', total: 2 }].map((data) => ({
      eventType: 'order.created',
      data,
    }));
    const reply = await request(api.app)
      .post('/api/ingest/batch')
      .set('authorization', `Bearer ${workspace.apiKey}`)
      .send({ events });
    expect([reply.status, reply.body.results]).toMatchObject([
      202,
      [
        { schemaErrors: [] },
        { error: { code: 'schema_violation', message: '/total is required' } },
        { schemaErrors: [] },
      ],
    ]);
  });

  test('the catalogue has the published types alone, and tells them as webhooks of an OpenAPI document', async () => {
    const path = `/environments/${workspace.environmentId}/catalog`;
    expect((await call('get', path)).body).toEqual([]);
    const made = await create({
      publishIn: [workspace.environmentId],
      description: 'Paid',
      example: { id: 'A', total: 1 },
    });
    const hidden = await create({}, 'order.hidden');
    expect((await call('get', path)).body).toEqual([made]);
    expect((await call('get', `${path}/${made.id}`)).body).toEqual(made);
    expect((await call('get', `${path}/${hidden.id}`)).status).toBe(404);
    const { body: document } = await call('get', `${path}/openapi.json`);
    expect(document).toMatchObject({
      openapi: '3.1.0',
      webhooks: {
        'order.created': {
          post: {
            description: 'Paid',
            security: [{ webhookSignature: [] }],
            requestBody: {
              content: {
                'application/json': {
                  schema: { $ref: '#/components/schemas/order.created' },
                  example: { id: 'A', total: 1 },
                },
              },
            },
          },
        },
      },
      components: { schemas: { 'order.created': order }, parameters: { 'webhook-id': { in: 'header' } } },
    });
    expect(Object.keys(document.webhooks)).toEqual(['order.created']);
  });

  test('the catalogue of a portal is that of its environment; an unpublished type is 404 there', async () => {
    const made = await create({ publishIn: [workspace.environmentId] });
    const hidden = await create({}, 'order.hidden');
    const { portalToken } = await seedPortal(api.db, { ...workspace, capabilities: ['endpoints:read'] });
    const portal = createCaller(api.app, { base: '/api/portal', token: portalToken });
    expect((await portal('get', '/catalog')).body).toEqual([made]);
    expect((await portal('get', `/catalog/${made.id}`)).body).toEqual(made);
    expect((await portal('get', `/catalog/${hidden.id}`)).status).toBe(404);
    expect(Object.keys((await portal('get', '/catalog/openapi.json')).body.webhooks)).toEqual(['order.created']);
  });
});

/** The schema errors of the first answer that has other ones than those of the schema before. */
async function eventually(send: () => request.Test): Promise<string[]> {
  for (;;) {
    const { body } = await send();
    if (body.schemaErrors?.length > 2) return body.schemaErrors;
  }
}

test('a dry run needs the right to read alone', async () => {
  workspace = await api.seedAnother({ scopes: ['read'] });
  const write = await api.seedAnother();
  const base = (one: SeededWorkspace) => `/management/v1/workspaces/${one.workspaceId}`;
  const made = await createCaller(api.app, { base: base(write), token: write.managementToken })(
    'post',
    '/event-types',
    { name: 'a.b' },
  );
  const viewer = await seedPerson(api.db, { workspaceId: write.workspaceId, role: 'viewer' });
  const call = createCaller(api.app, { base: `/api/workspaces/${write.workspaceId}`, token: viewer.sessionToken });
  expect((await call('patch', `/event-types/${made.body.id}?dryRun=true`, { schema: {} })).status).toBe(200);
  expect(codeOf(await call('patch', `/event-types/${made.body.id}`, { schema: {} }))).toBe('forbidden');
  expect(codeOf(await call('patch', `/event-types/${made.body.id}`, { schema: {}, dryRun: true }))).toBe('forbidden');
  // Rights are checked before the body is read.
  expect(codeOf(await call('patch', `/event-types/${made.body.id}`, '{'))).toBe('forbidden');
  expect(codeOf(await call('patch', `/event-types/${made.body.id}?dryRun=true`, '{'))).toBe('validation_error');
  expect((await call('get', `/event-types/${made.body.id}`)).body.schemaVersion).toBe(0);
});
