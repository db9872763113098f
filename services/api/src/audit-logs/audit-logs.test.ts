import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, managementCaller } from '../../test/caller.ts';
import { seedPerson, uuidOf } from '../../test/people.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
});

const logs = async (query = '') => (await call('get', `/audit-logs${query}`)).body;
const DAY = 86_400_000;

/** Inserts entries directly into the table, each `daysAgo` old. */
async function insert(
  daysAgo: readonly number[],
  columns: { visibility?: 'workspace' | 'portal' | 'internal'; action?: string } = {},
) {
  for (const days of daysAgo) {
    await api.db.auditEntry.create({
      data: {
        id: newUuid(new Date()),
        workspaceId: uuidOf('ws', workspace.workspaceId),
        actorType: 'system',
        actorId: 'system',
        actorLabel: 'system',
        action: 'endpoint.updated',
        resourceType: 'endpoint',
        resourceId: 'ep_1',
        metadata: { changes: {}, ip: null, userAgent: null, requestId: null },
        createdAt: new Date(Date.now() - days * DAY),
        ...columns,
      },
    });
  }
}

test('an entry names the actor, the change, the origin and the request', async () => {
  const made = await call('post', '/environments', { name: 'Staging', slug: 'staging' })
    .set('user-agent', 'Terminal/1')
    .set('x-request-id', 'request-1');
  expect(await logs()).toEqual({
    data: [
      {
        id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        actorType: 'management_token',
        actorId: expect.stringMatching(/^tok_/),
        actorLabel: 'Test',
        visibility: 'workspace',
        action: 'environment.created',
        resourceType: 'environment',
        resourceId: made.body.id,
        metadata: {
          changes: { name: { from: null, to: 'Staging' }, slug: { from: null, to: 'staging' } },
          ip: expect.stringContaining('127.0.0.1'),
          userAgent: 'Terminal/1',
          requestId: 'request-1',
        },
        createdAt: expect.stringMatching(/\.\d{3}Z$/),
      },
    ],
    total: 1,
    page: 1,
    pageSize: 50,
  });
});

test('pages of 50, newest first; a page past the end is empty and still has the total', async () => {
  await insert(Array.from({ length: 53 }, (_, n) => n / 100));
  const [first, second, third] = [await logs(), await logs('?page=2'), await logs('?page=3')];
  expect([first, second, third].map(({ data, total, page }) => [data.length, total, page])).toEqual([
    [50, 53, 1],
    [3, 53, 2],
    [0, 53, 3],
  ]);
  const times = [...first.data, ...second.data].map((entry: { createdAt: string }) => entry.createdAt);
  expect(times).toEqual([...times].sort().reverse());
  for (const page of [999_999, 999_999_999_999]) expect(await logs(`?page=${page}`)).toMatchObject({ data: [], page });
});

test('filters narrow one another and the total', async () => {
  const staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body;
  await call('patch', `/environments/${staging.id}`, { name: 'Other' });
  const { sessionToken } = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'owner' });
  const owner = createCaller(api.app, { base: `/api/workspaces/${workspace.workspaceId}`, token: sessionToken });
  await owner('patch', '', { name: 'Renamed' });
  const total = async (query: string) => (await logs(query)).total;
  expect(await total('')).toBe(3);
  expect(await total('?action=environment.created')).toBe(1);
  expect(await total('?resource_type=environment')).toBe(2);
  expect(await total('?actor_type=user')).toBe(1);
  expect(await total('?actor_type=user&resource_type=environment')).toBe(0);
  expect(await total('?action=no.such')).toBe(0);
  expect((await owner('get', '/audit-logs')).body).toEqual(await logs());
});

test('from is inclusive, to exclusive, whatever the offset', async () => {
  await insert([1, 2, 3]);
  const { data } = await logs();
  const [, middle] = data.map((entry: { createdAt: string }) => entry.createdAt);
  // The row's microseconds are zero, so the value that was read equals the stored one.
  expect((await logs(`?from=${middle}`)).total).toBe(2);
  expect((await logs(`?to=${middle}`)).total).toBe(1);
  expect((await logs(`?from=${middle}&to=${middle}`)).total).toBe(0);
  const east = new Date(Date.parse(middle) + 3 * 3_600_000).toISOString().replace('Z', '%2B03:00');
  expect((await logs(`?from=${east}`)).total).toBe(2);
  expect((await logs('?from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59-23:59')).total).toBe(3);
});

test('internal entries, entries older than 365 days and other workspaces’ entries are never returned or counted', async () => {
  await insert([1]);
  await insert([1], { visibility: 'internal' });
  await insert([366]);
  const mine = await logs('?from=2000-01-01T00:00:00Z');
  expect([mine.data.length, mine.total]).toEqual([1, 1]);
  const other = await api.seedAnother();
  const foreign = managementCaller(api.app, other);
  expect((await foreign('get', '/audit-logs')).body).toMatchObject({ data: [], total: 0 });
});

test.each([
  'page=0',
  'page=-1',
  'page=1.5',
  'page=x',
  'page=',
  'page=1e3',
  'page=99999999999999999999',
  'from=2026-01-01',
  'from=2026-01-01T00:00:00',
  'to=yesterday',
  'from=',
  'action=',
  'action=%00',
  'page=1&page=2',
])('%s is refused', async (query) => {
  expect(codeOf(await call('get', `/audit-logs?${query}`))).toBe('validation_error');
});

test('the log is read-only', async () => {
  for (const method of ['post', 'put', 'patch', 'delete'] as const) {
    expect(codeOf(await call(method, '/audit-logs', {}))).toBe('method_not_allowed');
  }
});
