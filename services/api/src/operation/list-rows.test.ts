import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import type request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, managementCaller } from '../../test/caller.ts';
import { seedPerson, seedPortal, uuidOf } from '../../test/people.ts';
import { newSession } from '../auth/session-token.ts';

let api: ApiUnderTest;
let lists: Record<string, { call: Caller; path: string }>;
beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  lists = await makeLists();
});
afterAll(() => api.stop());

describe.each([
  ...['environments', 'event types', 'visibility', 'api keys', 'endpoints', 'subscriptions', 'portal sessions'],
  ...['management tokens', 'members', 'sessions', 'workspaces', 'published event types', 'applications'],
])('docs/interface.md, Lists and cursors: the list of %s', (name) => {
  const walk = async () => {
    const { call, path } = lists[name] ?? { call: undefined, path: '' };
    if (call === undefined) throw new Error(`no list of ${name}`);
    const whole = itemsOf(await call('get', path).expect(200));
    const pages: unknown[][] = [];
    for (let next: string | undefined = `${path}?limit=2`; next !== undefined; ) {
      const reply: request.Response = await call('get', next).expect(200);
      pages.push(itemsOf(reply));
      const query: string | undefined = /^<[^<>?]*(\?[^<>]*)>; rel="next"$/.exec(reply.headers.link ?? '')?.[1];
      next = query === undefined ? undefined : path + query;
    }
    return { whole, pages };
  };

  test('is read in pages by the Link header: the same items in the same order', async () => {
    const { whole, pages } = await walk();
    expect(whole.length).toBeGreaterThan(2);
    expect(pages.flat()).toEqual(whole);
    expect(pages.slice(0, -1).every((page) => page.length === 2)).toBe(true);
    expect(pages.at(-1)?.length).toBeGreaterThan(0);
  });

  test('refuses a cursor that was altered, and a limit that is not 1 to 100', async () => {
    const { call, path } = lists[name] ?? { call: undefined, path: '' };
    const ask = async (query: string) => codeOf((await call?.('get', `${path}?${query}`)) ?? { status: 0, body: {} });
    expect(await ask('cursor=altered')).toBe('invalid_cursor');
    expect(await ask('limit=101')).toBe('validation_error');
  });
});

test.each([
  ['event types', '/endpoints'],
  ['published event types', '/catalog'],
])('a cursor of the list of %s is refused by %s', async (name, other) => {
  const { call, path } = lists[name] ?? { call: undefined, path: '' };
  const reply = await call?.('get', `${path}?limit=1`);
  const query = /\?([^>]*)>/.exec(reply?.headers.link ?? '')?.[1];
  expect(codeOf((await call?.('get', `${other}?${query}`)) ?? { status: 0, body: {} })).toBe('invalid_cursor');
});

test('a cursor of the endpoints of an application is refused by the list of all endpoints with that filter', async () => {
  const { call } = lists.applications ?? { call: undefined };
  if (call === undefined) throw new Error('no list of applications');
  const { id } = (await call('post', '/applications', { name: 'Paged' })).body;
  const path = `/applications/${id}/endpoints`;
  for (let made = 0; made < 2; made += 1) await call('post', path, { url: 'https://example.com/' }).expect(201);
  const { headers } = await call('get', `${path}?limit=1`);
  const query = /\?([^>]*)>/.exec(headers.link ?? '')?.[1];
  expect(codeOf(await call('get', `/endpoints?application_id=${id}&${query}`))).toBe('invalid_cursor');
  expect((await call('get', `${path}?${query}`)).status).toBe(200);
});

function itemsOf(reply: request.Response): unknown[] {
  const { body } = reply;
  return Array.isArray(body) ? body : (body.applications ?? []);
}

/** A workspace with at least three of each resource. */
async function makeLists() {
  const { workspaceId, environmentId, managementToken } = await api.seedAnother();
  const owner = await seedPerson(api.db, { workspaceId, role: 'owner' });
  for (const role of ['member', 'viewer'] as const) await seedPerson(api.db, { workspaceId, role });
  const call = managementCaller(api.app, { workspaceId, managementToken });
  const people = createCaller(api.app, { base: `/api/workspaces/${workspaceId}`, token: owner.sessionToken });
  const account = createCaller(api.app, { base: '/api', token: owner.sessionToken });
  const { applicationId, portalToken } = await seedPortal(api.db, { workspaceId, environmentId });
  const portal = createCaller(api.app, { base: '/api/portal', token: portalToken });
  const types: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    await call('post', '/environments', { name, slug: name }).expect(201);
    await call('post', `/environments/${environmentId}/api-keys`, { name }).expect(201);
    await call('post', '/endpoints', { url: 'https://example.com/' }).expect(201);
    await call('post', '/applications', { name }).expect(201);
    await people('post', '/management-tokens', { name }).expect(201);
    await people('post', '/members', { email: `${name}@example.com`, role: 'viewer' }).expect(201);
    await account('post', '/workspaces', { name, slug: `${name}-${workspaceId.slice(-8)}` }).expect(201);
    await call('post', `/applications/${applicationId}/portal-sessions`, {}).expect(201);
    const type = await call('post', '/event-types', { name: `page.${name}`, publishIn: [environmentId] }).expect(201);
    types.push(type.body.id);
  }
  const endpoint = await call('post', '/endpoints', { url: 'https://example.com/' }).expect(201);
  await call('post', `/endpoints/${endpoint.body.id}/subscriptions`, { eventTypeIds: types }).expect(200);
  await makeSessions(owner.userId);
  await joinInOneMillisecond(workspaceId);
  return {
    environments: { call, path: '/environments' },
    'event types': { call, path: '/event-types' },
    visibility: { call, path: `/environments/${environmentId}/event-types` },
    'api keys': { call, path: `/environments/${environmentId}/api-keys` },
    endpoints: { call, path: '/endpoints' },
    subscriptions: { call, path: `/endpoints/${endpoint.body.id}/subscriptions` },
    'portal sessions': { call, path: `/applications/${applicationId}/portal-sessions` },
    'management tokens': { call: people, path: '/management-tokens' },
    members: { call: people, path: '/members' },
    sessions: { call: account, path: '/auth/sessions' },
    workspaces: { call: account, path: '/workspaces' },
    'published event types': { call: portal, path: '/event-types' },
    applications: { call, path: '/applications' },
  };
}

/** The viewer a microsecond before the member, whose id is lower: a page of two ends between them. */
async function joinInOneMillisecond(workspaceId: string): Promise<void> {
  await api.db.$executeRaw`
    update member set created_at = timestamptz '2026-11-01 00:00:00Z' + case role
      when 'owner' then interval '0' when 'viewer' then interval '1000 microseconds' else interval '1001 microseconds' end
    where workspace_id = ${uuidOf('ws', workspaceId)}::uuid`;
}

async function makeSessions(userId: string): Promise<void> {
  const id = uuidOf('usr', userId);
  for (let made = 0; made < 3; made += 1) {
    const { columns } = newSession(new Date());
    await api.db.session.create({ data: { id: newUuid(new Date()), userId: id, ...columns } });
  }
}
