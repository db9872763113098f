import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf, type Service, startService, unique } from './service.ts';

const UNKNOWN = 'app_01jczhk8m3fd8tqv5x0w2b9n4e';
const URL = 'https://127.0.0.1/';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('docs/interface.md, Application: has its fields; optional ones are null or empty, never missing', async () => {
  const { manage } = service.workspace;
  const bare = await manage('POST', '/applications', { name: 'Globex' });
  expect([bare.status, bare.body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^app_[0-9a-z]{26}$/),
      externalId: null,
      name: 'Globex',
      metadata: {},
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/\.\d{3}Z$/),
    },
  ]);
  const externalId = unique('customer-');
  const full = { name: 'Globex', externalId, metadata: { region: 'eu' } };
  expect((await manage('POST', '/applications', full)).body).toMatchObject(full);
});

test('docs/interface.md, Application: name is required; metadata has at most 5 pairs of string values', async () => {
  const { manage } = service.workspace;
  const create = async (body: object) => codeOf(await manage('POST', '/applications', body));
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));
  expect(await create({ name: 'A', metadata: pairs(5) })).toBe(201);
  for (const body of [
    {},
    { name: '' },
    { name: 5 },
    { name: null },
    { name: 'x'.repeat(201) },
    { name: 'a\u0000' },
    { name: '\ud800' },
    { name: 'A', metadata: pairs(6) },
    { name: 'A', metadata: { a: 1 } },
    { name: 'A', metadata: { a: null } },
    { name: 'A', metadata: [] },
    { name: 'A', metadata: { a: 'x'.repeat(501) } },
    { name: 'A', metadata: { ['k'.repeat(41)]: 'v' } },
    { name: 'A', externalId: '' },
    { name: 'A', externalId: 'has spaces' },
    { name: 'A', externalId: 'x'.repeat(256) },
  ]) {
    expect([body, await create(body)]).toEqual([body, 'validation_error']);
  }
});

test('docs/interface.md, Application: externalId is unique per workspace, also among many at once, and free in another', async () => {
  const { manage } = service.workspace;
  const externalId = unique('raced-');
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => manage('POST', '/applications', { name: 'A', externalId })),
  );
  const codes = replies.map(codeOf);
  expect(codes.filter((code) => code === 201)).toHaveLength(1);
  expect(codes.filter((code) => code === 'external_id_taken')).toHaveLength(19);
  const other = await service.another();
  expect((await other.manage('POST', '/applications', { name: 'A', externalId })).status).toBe(201);
});

test('docs/interface.md, Application: endpoints are created and listed under one, in the default environment unless named', async () => {
  const { manage, make, environmentId } = service.workspace;
  const applicationId = await make('/applications', { name: 'A' });
  const staging = await make('/environments', { name: 'Staging', slug: unique('s-') });
  const path = `/applications/${applicationId}/endpoints`;
  const first = await manage('POST', path, { url: URL, description: 'One', authUsername: 'u', authPassword: 'p' });
  expect([first.status, first.body]).toMatchObject([
    201,
    { applicationId, environmentId, description: 'One', authUsername: 'u', hasAuth: true },
  ]);
  expect(first.text).not.toContain('authPassword');
  const second = await manage('POST', path, { url: URL, environmentId: staging });
  expect(second.body).toMatchObject({ applicationId, environmentId: staging });
  const listed = async (query: string) =>
    (await manage('GET', path + query)).body.map((one: { id: string }) => one.id).sort();
  expect(await listed('')).toEqual([first.body.id, second.body.id].sort());
  expect(await listed(`?environment_id=${staging}`)).toEqual([second.body.id]);
  expect((await manage('GET', '/endpoints')).body).toContainEqual(first.body);
});

test('docs/interface.md, Errors: application-scoped endpoint create and list are not_found when the application is missing', async () => {
  const { manage } = service.workspace;
  for (const id of [UNKNOWN, 'app_x', 'ext:nobody', 'ep_01jczhk8m3fd8tqv5x0w2b9n4e']) {
    for (const reply of [
      await manage('POST', `/applications/${id}/endpoints`, { url: URL }),
      await manage('GET', `/applications/${id}/endpoints`),
      await manage('GET', `/applications/${id}`),
    ]) {
      expect([id, reply.status, reply.body]).toEqual([
        id,
        404,
        { error: { code: 'not_found', message: 'Application not found' } },
      ]);
    }
  }
});

test('docs/interface.md, Application: environmentId has at least 1 character; an unknown one is 404 Environment not found', async () => {
  const { manage, make } = service.workspace;
  const path = `/applications/${await make('/applications', { name: 'A' })}/endpoints`;
  expect(codeOf(await manage('POST', path, { url: URL, environmentId: '' }))).toBe('validation_error');
  expect(codeOf(await manage('POST', path, { url: 'http://127.0.0.1/' }))).toBe('validation_error');
  expect((await manage('POST', path, {})).body.error).toMatchObject({
    code: 'validation_error',
    message: 'url is required',
  });
  const unknown = 'env_01jczhk8m3fd8tqv5x0w2b9n4e';
  for (const reply of [
    await manage('POST', path, { url: URL, environmentId: unknown }),
    await manage('GET', `${path}?environment_id=${unknown}`),
  ]) {
    expect([reply.status, reply.body.error.message]).toEqual([404, 'Environment not found']);
  }
});

test('docs/interface.md, Concepts: deleting an application deletes all endpoints belonging to it, and frees its externalId', async () => {
  const { manage, make, ingest } = service.workspace;
  const externalId = unique('gone-');
  const id = await make('/applications', { name: 'A', externalId });
  const endpointId = await make(`/applications/${id}/endpoints`, { url: URL });
  const deleted = await manage('DELETE', `/applications/${id}`);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect(codeOf(await manage('GET', `/applications/${id}`))).toBe('not_found');
  expect(codeOf(await manage('GET', `/endpoints/${endpointId}`))).toBe('not_found');
  expect(codeOf(await ingest(endpointId, {}))).toBe('not_found');
  expect((await manage('POST', '/applications', { name: 'A', externalId })).status).toBe(201);
});

test('docs/interface.md, Application: the dashboard creates, reads, updates and deletes them with a session token', async () => {
  const { dashboard, sessionOf, manage } = service.workspace;
  const session = await sessionOf('member');
  const created = await dashboard(session, 'POST', '/applications', { name: 'A', externalId: unique('d-') });
  expect(created.status).toBe(201);
  const path = `/applications/${created.body.id}`;
  expect((await manage('GET', path)).body).toEqual(created.body);
  expect((await dashboard(session, 'GET', path)).body).toEqual(created.body);
  const renamed = await dashboard(session, 'PATCH', path, { name: 'B' });
  expect([renamed.status, renamed.body.name]).toEqual([200, 'B']);
  expect((await dashboard(session, 'GET', `${path}/endpoints`)).body).toEqual([]);
  expect((await dashboard(session, 'DELETE', path)).status).toBe(204);
  expect(codeOf(await manage('GET', path))).toBe('not_found');
});

test('docs/interface.md, Application: {appId} also takes ext:<externalId>; the list pages and filters', async () => {
  const { manage, make } = await service.another();
  const ids = [];
  for (const n of [1, 2, 3]) ids.push(await make('/applications', { name: `Firm ${n}`, externalId: `c-${n}` }));
  expect((await manage('GET', '/applications/ext:c-2')).body.id).toBe(ids[1]);
  expect((await manage('PATCH', '/applications/ext:c-2', { externalId: null, metadata: null })).body).toMatchObject({
    externalId: null,
    metadata: {},
  });
  const filtered = await manage('GET', '/applications?external_id=c-3');
  expect([filtered.status, filtered.body]).toMatchObject([200, { applications: [{ id: ids[2] }], nextCursor: null }]);
  const searched = await manage('GET', '/applications?search=firm%201');
  expect(searched.body.applications.map((one: { id: string }) => one.id)).toEqual([ids[0]]);
  const seen = [];
  for (let cursor = ''; seen.length < 4; ) {
    const { body } = await manage('GET', `/applications?limit=1${cursor}`);
    seen.push(...body.applications.map((one: { id: string }) => one.id));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
  expect(seen.sort()).toEqual([...ids].sort());
});

test('docs/interface.md, Workspace: applications and the portal need the Pro plan or above', async () => {
  const free = await service.another({ plan: 'free' });
  for (const reply of [
    await free.manage('POST', '/applications', { name: 'A' }),
    await free.manage('GET', '/applications'),
    await free.manage('GET', `/applications/${UNKNOWN}`),
    await free.manage('POST', `/applications/${UNKNOWN}/endpoints`, { url: URL }),
    await free.manage('POST', `/applications/${UNKNOWN}/portal-sessions`, {}),
    await free.dashboard(await free.sessionOf('owner'), 'POST', '/applications', { name: 'A' }),
  ]) {
    expect([reply.status, codeOf(reply)]).toEqual([403, 'plan_required']);
  }
  const pro = await service.another({ plan: 'pro' });
  expect((await pro.manage('POST', '/applications', { name: 'A' })).status).toBe(201);
});
