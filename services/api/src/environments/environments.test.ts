import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, managementCaller, tally } from '../../test/caller.ts';
import { seedPortal, uuidOf } from '../../test/people.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
});

const entries = () =>
  api.db.auditEntry.findMany({ where: { workspaceId: uuidOf('ws', workspace.workspaceId) }, orderBy: { id: 'asc' } });
const create = async (slug: string) => (await call('post', '/environments', { name: slug, slug })).body;
const list = async () => (await call('get', '/environments')).body;

describe('updating', () => {
  test('name and slug change, and only the fields in the body', async () => {
    const made = await create('staging');
    const reply = await call('patch', `/environments/${made.id}`, { slug: 'test' });
    expect(reply.body).toEqual({ ...made, slug: 'test', updatedAt: expect.any(String) });
    expect((await call('get', `/environments/${made.id}`)).body).toEqual(reply.body);
    expect((await entries()).at(-1)).toMatchObject({
      action: 'environment.updated',
      resourceId: made.id,
      metadata: { changes: { slug: { from: 'staging', to: 'test' } } },
    });
  });

  test('an empty body, and a change to the current values, are no-ops without an audit entry', async () => {
    const made = await create('staging');
    const { length } = await entries();
    for (const body of [undefined, {}, { name: 'staging', slug: 'staging' }]) {
      expect((await call('patch', `/environments/${made.id}`, body)).body).toEqual(made);
    }
    const before = (await list())[0];
    expect((await call('patch', `/environments/${before.id}`, { isDefault: true })).body).toEqual(before);
    expect(await entries()).toHaveLength(length);
  });

  test('the default moves, and there is always exactly one', async () => {
    const made = await create('staging');
    const reply = await call('patch', `/environments/${made.id}`, { isDefault: true });
    expect([reply.status, reply.body.isDefault]).toEqual([200, true]);
    const all: { id: string; isDefault: boolean }[] = await list();
    expect(all.map(({ id, isDefault }) => [id, isDefault])).toEqual([
      [made.id, true],
      [workspace.environmentId, false],
    ]);
    expect((await entries()).at(-1)?.metadata).toMatchObject({
      changes: { defaultEnvironmentId: { from: workspace.environmentId, to: made.id } },
    });
    expect((await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body.environmentId).toBe(made.id);
  });

  test('of 30 concurrent requests for the default all are answered and one environment has it', async () => {
    const made = await Promise.all(['a', 'b', 'c'].map(create));
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        call('patch', `/environments/${made[index % 3].id}`, { isDefault: true }),
      ),
    );
    expect(tally(replies.map(codeOf))).toEqual({ 200: 30 });
    expect((await list()).filter((one: { isDefault: boolean }) => one.isDefault)).toHaveLength(1);
  });

  test.each([{ isDefault: null }, { slug: 'Staging' }, { slug: '' }, { slug: 'a--b' }, { slug: null }])(
    '%j is refused',
    async (body) => {
      const made = await create('staging');
      expect(codeOf(await call('patch', `/environments/${made.id}`, body))).toBe('validation_error');
    },
  );

  test('the default stays until another environment takes it', async () => {
    const made = await create('staging');
    const before = (await list())[0];
    const refused = await call('patch', `/environments/${before.id}`, { isDefault: false });
    expect(refused.body.error.message).toMatch(/^isDefault can only be set to true/);
    expect((await call('patch', `/environments/${made.id}`, { isDefault: false })).body).toEqual(made);
    expect((await list())[0]).toEqual(before);
  });

  test('a taken slug is refused; one of a deleted environment is free again', async () => {
    const [first, second] = [await create('first'), await create('second')];
    expect(codeOf(await call('patch', `/environments/${second.id}`, { slug: 'first' }))).toBe('slug_taken');
    await call('delete', `/environments/${first.id}`);
    expect((await call('patch', `/environments/${second.id}`, { slug: 'first' })).body.slug).toBe('first');
  });
});

describe('deleting', () => {
  test('the default environment cannot be deleted', async () => {
    const reply = await call('delete', `/environments/${workspace.environmentId}`);
    expect([reply.status, codeOf(reply)]).toEqual([409, 'default_environment']);
    expect(await list()).toHaveLength(1);
  });

  test('its keys, endpoints, subscriptions and portal sessions end at once, in one audit entry', async () => {
    const made = await create('staging');
    const key = (await call('post', `/environments/${made.id}/api-keys`, { name: 'Key' })).body;
    const type = (await call('post', '/event-types', { name: 'a.b', publishIn: [made.id] })).body;
    const ids: string[] = [];
    for (const _ of [1, 2]) {
      const endpoint = await call('post', '/endpoints', { url: 'https://127.0.0.1/', environmentId: made.id });
      ids.push(endpoint.body.id);
      await call('post', `/endpoints/${endpoint.body.id}/subscriptions`, { eventTypeIds: [type.id] });
    }
    const portal = await seedPortal(api.db, { workspaceId: workspace.workspaceId, environmentId: made.id });
    const { length } = await entries();

    const reply = await call('delete', `/environments/${made.id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);

    expect(await list()).toHaveLength(1);
    expect((await call('get', '/endpoints')).body).toEqual([]);
    for (const path of [`/environments/${made.id}`, `/environments/${made.id}/api-keys`, `/endpoints/${ids[0]}`]) {
      expect((await call('get', path)).status).toBe(404);
    }
    const foreign = await call('get', `/endpoints?environment_id=${made.id}`);
    expect(foreign.body.error).toEqual({ code: 'not_found', message: 'Environment not found' });
    const ingest = await request(api.app).post('/api/ingest/event/a.b').set('authorization', `Bearer ${key.key}`);
    expect(ingest.status).toBe(401);
    const session = await request(api.app)
      .get('/api/portal/session')
      .set('authorization', `Bearer ${portal.portalToken}`);
    expect(session.status).toBe(401);
    expect((await call('delete', `/event-types/${type.id}`)).status).toBe(204);

    const after = (await entries()).slice(length);
    expect(after.map(({ action }) => action)).toEqual(['environment.deleted', 'event_type.deleted']);
    expect(after[0]?.metadata).toMatchObject({
      changes: {
        endpoints: { from: ids, to: [] },
        subscriptions: { from: ids.length, to: 0 },
        apiKeys: { from: [key.id], to: [] },
        portalSessions: { from: 1, to: 0 },
      },
    });
  });

  test('its slug is free again, and it does not count towards the limit of ten', async () => {
    for (let n = 1; n < 10; n += 1) await create(`e-${n}`);
    expect(codeOf(await call('post', '/environments', { name: 'x', slug: 'x' }))).toBe('environment_limit_reached');
    const all = await list();
    await call('delete', `/environments/${all[3].id}`);
    expect(codeOf(await call('post', '/environments', { name: 'x', slug: all[3].slug }))).toBe(201);
  });

  test('an endpoint created at the same moment is either refused or deleted with it', async () => {
    const made = await create('staging');
    const replies = await Promise.all([
      ...Array.from({ length: 8 }, () =>
        call('post', '/endpoints', { url: 'https://127.0.0.1/', environmentId: made.id }),
      ),
      call('delete', `/environments/${made.id}`),
    ]);
    expect(replies.every(({ status }) => [201, 204, 404].includes(status))).toBe(true);
    expect((await call('get', '/endpoints')).body).toEqual([]);
  });
});

// Few enough that a slow machine makes them all within the 5 s for which a change waits for its turn.
describe('many at once', () => {
  test('of 20 with one slug one succeeds', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => call('post', '/environments', { name: 'x', slug: 'same' })),
    );
    expect(tally(replies.map(codeOf))).toEqual({ 201: 1, slug_taken: 19 });
  });

  test('of 20 with different slugs nine succeed', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => call('post', '/environments', { name: 'x', slug: `s-${n}` })),
    );
    expect(tally(replies.map(codeOf))).toEqual({ 201: 9, environment_limit_reached: 11 });
    expect(await list()).toHaveLength(10);
  });
});

test('an endpoint with very many deliveries does not slow its deletion: none of them is changed', async () => {
  const made = await create('staging');
  const endpoint = (await call('post', '/endpoints', { url: 'https://127.0.0.1/', environmentId: made.id })).body;
  const ids = {
    endpointId: uuidOf('ep', endpoint.id),
    workspaceId: uuidOf('ws', workspace.workspaceId),
    environmentId: uuidOf('env', made.id),
  };
  const deliveries = Array.from({ length: 500 }, () => ({
    id: newUuid(new Date()),
    eventId: newUuid(new Date()),
    dueAt: new Date(),
    ...ids,
  }));
  await api.db.delivery.createMany({ data: deliveries });
  const first = { id: deliveries[0]?.id ?? '' };
  const before = await api.db.delivery.findUniqueOrThrow({ where: first });
  expect((await call('delete', `/environments/${made.id}`)).status).toBe(204);
  expect(await api.db.delivery.findUniqueOrThrow({ where: first })).toEqual(before);
  expect((await call('get', `/deliveries/${toId('dlv', first.id)}`)).status).toBe(200);
});
