import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf, type Service, startService, unique } from './service.ts';

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
  expect(list.body).toMatchObject([{ slug: 'production', isDefault: true }]);
});

test('docs/interface.md, Visibility entry: a new environment has no event types published, whatever others have', async () => {
  const { manage, make, environmentId } = service.workspace;
  const name = unique('copied.not_');
  const eventTypeId = await make('/event-types', { name, publishIn: [environmentId] });
  const id = await make('/environments', { name: 'Fresh', slug: unique('fresh-') });
  const { status, body } = await manage('GET', `/environments/${id}/event-types`);
  expect(status).toBe(200);
  expect(body).toContainEqual({ eventTypeId, eventTypeName: name, published: false, schemaMode: 'off' });
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
  expect(await entry('')).toEqual({ eventTypeId, eventTypeName: name, published: false });
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
    expect([status, body]).toEqual([200, { eventTypeId, eventTypeName: name, published, schemaMode: 'off' }]);
    const list = await manage('GET', `/environments/${environmentId}/event-types`);
    expect(list.body).toContainEqual({ eventTypeId, eventTypeName: name, published, schemaMode: 'off' });
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

test('docs/interface.md, Counts: at most 10 in a workspace, also when many are created at once', async () => {
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
  expect(codeOf(await manage('PATCH', `/environments/${b}`, { isDefault: false }))).toBe('validation_error');
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
