import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { waitFor } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, managementCaller, tally } from '../../test/caller.ts';
import { seedPerson, uuidOf } from '../../test/people.ts';

let api: ApiUnderTest;
let workspace: SeededWorkspace;
let call: Caller;
let keys: string;
let offsetMs = 0;

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + offsetMs), monotonicMs: () => performance.now() };
  api = await startApi({ clock, rateLimits: { management: 0, ingest: 0 } });
});
afterAll(() => api.stop());
beforeEach(async () => {
  offsetMs = 0;
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
  keys = `/environments/${workspace.environmentId}/api-keys`;
  await call('post', '/event-types', { name: 'a.b', publishIn: [workspace.environmentId] });
});

const create = async (body: object = {}) => (await call('post', keys, { name: 'Key', ...body })).body;
const listed = async () => (await call('get', keys)).body.map((one: { id: string }) => one.id);
const ingest = async (key: string) =>
  (await request(api.app).post('/api/ingest/event/a.b').set('authorization', `Bearer ${key}`)).status;
const entries = () =>
  api.db.auditEntry.findMany({ where: { workspaceId: uuidOf('ws', workspace.workspaceId) }, orderBy: { id: 'asc' } });
const after = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
const DAY = 86_400;

describe('a new key', () => {
  test('without an end is one with the end null, as it is answered', async () => {
    expect([(await create()).expiresAt, (await create({ expiresAt: null })).expiresAt]).toEqual([null, null]);
  });

  test('is shown once, and ingests into its environment', async () => {
    const expiresAt = after(DAY);
    const reply = await call('post', keys, { name: 'Orders', expiresAt });
    const { key, ...rest } = reply.body;
    expect([reply.status, rest]).toEqual([
      201,
      {
        id: expect.stringMatching(/^key_/),
        name: 'Orders',
        environmentId: workspace.environmentId,
        keyPreview: `phk_…${key.slice(-4)}`,
        createdAt: expect.any(String),
        lastUsedAt: null,
        expiresAt,
        revokedAt: null,
      },
    ]);
    expect((await call('get', keys)).body.at(-1)).toEqual(rest);
    const accepted = await request(api.app).post('/api/ingest/event/a.b').set('x-api-key', key);
    expect([accepted.status, accepted.body.environmentId]).toEqual([202, workspace.environmentId]);
    const [entry] = (await entries()).slice(-1);
    expect([entry?.action, entry?.resourceType, entry?.resourceId]).toEqual(['api_key.created', 'api_key', rest.id]);
    expect(JSON.stringify(entry?.metadata)).not.toContain(key);
  });

  test('is refused once it has expired, but is still listed', async () => {
    const made = await create({ expiresAt: after(60) });
    expect(await ingest(made.key)).toBe(202);
    offsetMs = 61_000;
    expect(await ingest(made.key)).toBe(401);
    expect(await listed()).toContain(made.id);
  });

  test.each<[string, object]>([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a past end', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['an end with no offset', { expiresAt: '2030-01-01T00:00:00' }],
    ['an end that is no instant', { expiresAt: 'tomorrow' }],
    ['a day that does not exist', { expiresAt: '2030-02-30T00:00:00Z' }],
    ['an end in year 10000', { expiresAt: '9999-12-31T23:59:59-23:59' }],
    ['an end that is a number', { expiresAt: 1 }],
  ])('%s is refused', async (_, body) => {
    expect(codeOf(await call('post', keys, { name: 'Key', ...body }))).toBe('validation_error');
  });

  test('the last possible instant is accepted', async () => {
    const made = await create({ expiresAt: '9999-12-31T23:59:59.999Z' });
    expect(made.expiresAt).toBe('9999-12-31T23:59:59.999Z');
  });

  test('of many at once none exceeds 20; ended keys do not count', async () => {
    const replies = await Promise.all(Array.from({ length: 30 }, () => call('post', keys, { name: 'Key' })));
    // One key existed already.
    expect(tally(replies.map(codeOf))).toEqual({ 201: 19, limit_reached: 11 });
    const [first, second] = replies.filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect((await call('post', `${keys}/${first}/rotate`, { gracePeriodSeconds: 60 })).status).toBe(201);
    expect(codeOf(await call('post', keys, { name: 'Key' }))).toBe('limit_reached');
    offsetMs = 61_000;
    expect(codeOf(await call('post', keys, { name: 'Key' }))).toBe('limit_reached');
    await call('delete', `${keys}/${second}`);
    expect(codeOf(await call('post', keys, { name: 'Key' }))).toBe(201);
  });
});

describe('rotation', () => {
  test('both work during the grace, and then only the new one', async () => {
    const old = await create({ name: 'Orders' });
    const reply = await call('post', `${keys}/${old.id}/rotate`, { gracePeriodSeconds: 3_600 });
    expect([reply.status, reply.body.name, reply.body.id === old.id]).toEqual([201, 'Orders', false]);
    expect([await ingest(old.key), await ingest(reply.body.key)]).toEqual([202, 202]);
    const { revokedAt } = (await call('get', keys)).body.find((one: { id: string }) => one.id === old.id);
    expect(Math.abs(Date.parse(revokedAt) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    offsetMs = 3_700_000;
    expect([await ingest(old.key), await ingest(reply.body.key)]).toEqual([401, 202]);
    expect((await entries()).at(-1)).toMatchObject({ action: 'api_key.rotated', resourceId: old.id });
  });

  test('the old one is listed until 7 days after its end', async () => {
    const old = await create();
    await call('post', `${keys}/${old.id}/rotate`, { gracePeriodSeconds: DAY });
    offsetMs = (8 * DAY - 60) * 1_000;
    expect(await listed()).toContain(old.id);
    offsetMs = (8 * DAY + 60) * 1_000;
    expect(await listed()).not.toContain(old.id);
    for (const path of [`${keys}/${old.id}`, `${keys}/${old.id}/rotate`]) {
      expect((await call(path.endsWith('rotate') ? 'post' : 'delete', path)).status).toBe(404);
    }
  });

  test('a second rotation never extends the old key', async () => {
    const old = await create();
    await call('post', `${keys}/${old.id}/rotate`, { gracePeriodSeconds: 60 });
    await call('post', `${keys}/${old.id}/rotate`, { gracePeriodSeconds: 604_800 });
    offsetMs = 61_000;
    expect(await ingest(old.key)).toBe(401);
  });

  test('with a grace of 0 the old one ends within a second', async () => {
    const old = await create();
    expect(await ingest(old.key)).toBe(202);
    await call('post', `${keys}/${old.id}/rotate`, { gracePeriodSeconds: 0 });
    await waitFor(async () => (await ingest(old.key)) === 401, { what: 'the old key to end', timeoutMs: 5_000 });
  });

  test.each([-1, 604_801, 1.5, '60', null])('a grace of %j is refused', async (gracePeriodSeconds) => {
    const made = await create();
    expect(codeOf(await call('post', `${keys}/${made.id}/rotate`, { gracePeriodSeconds }))).toBe('validation_error');
  });
});

test('a deleted key is removed from the list at once, and refused within a second', async () => {
  const made = await create();
  const reply = await call('delete', `${keys}/${made.id}`);
  expect([reply.status, reply.text]).toEqual([204, '']);
  expect(await listed()).not.toContain(made.id);
  expect((await call('delete', `${keys}/${made.id}`)).status).toBe(404);
  expect((await entries()).at(-1)).toMatchObject({ action: 'api_key.revoked', resourceId: made.id });
  await waitFor(async () => (await ingest(made.key)) === 401, { what: 'the key to end', timeoutMs: 5_000 });
});

test('a key is reached only through its own environment', async () => {
  const other = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body;
  const made = await create();
  expect((await call('delete', `/environments/${other.id}/api-keys/${made.id}`)).status).toBe(404);
  expect((await call('post', `/environments/${other.id}/api-keys/${made.id}/rotate`)).status).toBe(404);
  expect((await call('get', `/environments/${other.id}/api-keys`)).body).toEqual([]);
  expect(await listed()).toContain(made.id);
});

test('the scope keys suffices; read may list, write has no access; for people, the role admin suffices', async () => {
  for (const [scopes, list, make] of [
    [['keys'], 200, 201],
    [['read'], 200, 403],
    [['write', 'payloads'], 403, 403],
  ] as const) {
    const other = await api.seedAnother({ scopes });
    const base = `/management/v1/workspaces/${other.workspaceId}/environments/${other.environmentId}/api-keys`;
    const as = createCaller(api.app, { base, token: other.managementToken });
    expect([(await as('get')).status, (await as('post', '', { name: 'a' })).status]).toEqual([list, make]);
  }
  for (const [role, make] of [
    ['member', 403],
    ['admin', 201],
  ] as const) {
    const { sessionToken } = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role });
    const as = createCaller(api.app, { base: `/api/workspaces/${workspace.workspaceId}`, token: sessionToken });
    expect([(await as('get', keys)).status, (await as('post', keys, { name: 'a' })).status]).toEqual([200, make]);
  }
});

test('a key that was already replaced creates no more keys than the limit allows', async () => {
  const old = await create();
  for (let n = 0; n < 18; n += 1) await create();
  const rotate = () => call('post', `${keys}/${old.id}/rotate`, { gracePeriodSeconds: 0 });
  expect((await rotate()).status).toBe(201);
  expect(codeOf(await rotate())).toBe('limit_reached');
});

test('a chain of rotations leaves at most 20 keys in their grace; those with the earliest end are ended', async () => {
  const chain = [await create()];
  const rotate = async () => {
    const reply = await call('post', `${keys}/${chain.at(-1).id}/rotate`, { gracePeriodSeconds: 7 * DAY });
    chain.push(reply.body);
    return reply.status;
  };
  for (let n = 0; n < 22; n += 1) expect(await rotate()).toBe(201);
  const alive = await Promise.all(chain.map(async ({ key }) => (await ingest(key)) === 202));
  expect(alive).toEqual([false, false, ...Array.from({ length: 21 }, () => true)]);
  const [last] = (await entries()).slice(-1);
  expect(last?.metadata).toMatchObject({ changes: { endedWithIt: { to: [chain[1].id] } } });
});

test('a rotation without a grace ends none of 20 keys that are in their grace', async () => {
  const inGrace: string[] = [];
  let last = await create();
  const rotate = (gracePeriodSeconds: number) => call('post', `${keys}/${last.id}/rotate`, { gracePeriodSeconds });
  for (let n = 0; n < 20; n += 1) {
    inGrace.push(last.key);
    last = (await rotate(7 * DAY)).body;
  }
  expect((await rotate(0)).status).toBe(201);
  expect(tally(await Promise.all(inGrace.map(ingest)))).toEqual({ 202: 20 });
});
