import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import { withConnection } from '@posthorn/db/connection';
import { ensurePartitions } from '@posthorn/db/partitions';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { insertDelivery } from '@posthorn/testkit/delivery-rows';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller } from '../../test/caller.ts';
import { uuidOf } from '../../test/people.ts';

let api: ApiUnderTest;
let call: Caller;
let first: string;
let second: string;
let staging: string;
/** The public ids of the last days' deliveries, by a name for each. */
const made: Record<string, string> = {};

const HOUR = 3_600_000;
const now = Date.now();
const at = (hoursAgo: number) => new Date(now - hoursAgo * HOUR);

beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  call = createCaller(api.app, { base: api.base, token: api.managementToken });
  await withConnection(api.databaseUrl, (connection) => ensurePartitions(connection, at(240)));
  staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
  first = (await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body.id;
  const customer = (await call('post', '/applications', { name: 'Acme', externalId: 'acme' })).body.id;
  const own = { url: 'https://127.0.0.1/', environmentId: staging };
  second = (await call('post', `/applications/${customer}/endpoints`, own)).body.id;
  await insert('new', { endpointId: first, hoursAgo: 1, status: 'pending' });
  await insert('failed', { endpointId: first, hoursAgo: 2, status: 'failed' });
  await insert('other type', { endpointId: first, hoursAgo: 3, status: 'delivered', eventType: 'order.paid' });
  await insert('staging', { endpointId: second, hoursAgo: 4, status: 'failed' });
  await insert('direct', { endpointId: second, hoursAgo: 5, status: 'delivered', eventType: null });
  await insert('nearly expired', { endpointId: first, hoursAgo: 167, status: 'delivered' });
  await insert('expired', { endpointId: first, hoursAgo: 169, status: 'delivered' });
});
afterAll(() => api.stop());

type Given = {
  endpointId: string;
  hoursAgo: number;
  status: 'pending' | 'failed' | 'delivered';
  eventType?: string | null;
};

async function insert(name: string, { endpointId, hoursAgo, status, eventType = 'order.created' }: Given) {
  const instant = at(hoursAgo);
  // The time first, random bits after it.
  const key = lowestKeyAt(instant).slice(0, 14) + newUuid(new Date()).slice(14);
  const row = {
    workspaceId: uuidOf('ws', api.workspaceId),
    environmentId: uuidOf('env', endpointId === second ? staging : api.environmentId),
    endpointId: uuidOf('ep', endpointId),
  };
  await insertDelivery(api.db, row, { key, status, eventType, dueInSeconds: status === 'pending' ? 0 : null });
  made[name] = toId('dlv', key);
}

const names = (body: { deliveries: { id: string }[] }) =>
  body.deliveries.map(({ id }) => Object.keys(made).find((name) => made[name] === id));
const list = async (query: string) => names((await call('get', `/deliveries?${query}`)).body);
const iso = (hoursAgo: number) => at(hoursAgo).toISOString();

describe('the workspace’s deliveries', () => {
  test('are listed newest first, and only within the retention, to the millisecond', async () => {
    const reply = await call('get', '/deliveries');
    expect(names(reply.body)).toEqual(['new', 'failed', 'other type', 'staging', 'direct', 'nearly expired']);
    expect(reply.body.nextCursor).toBeNull();
    const times = reply.body.deliveries.map((one: { createdAt: string }) => one.createdAt);
    expect(times).toEqual([...times].sort().reverse());
    expect((await call('get', `/deliveries/${made.expired}`)).status).toBe(200);
  });

  test.each<[string, () => string, string[]]>([
    ['status', () => 'status=failed', ['failed', 'staging']],
    ['endpoint', () => `endpoint_id=${second}`, ['staging', 'direct']],
    ['environment', () => `environment_id=${staging}`, ['staging', 'direct']],
    ['application', () => 'application_id=ext:acme', ['staging', 'direct']],
    ['application and status', () => 'application_id=ext:acme&status=delivered', ['direct']],
    ['type', () => 'event_type=order.paid', ['other type']],
    ['a type nobody has', () => 'event_type=no.such', []],
    ['two that exclude each other', () => `endpoint_id=${first}&environment_id=${staging}`, []],
    ['from, inclusive', () => `from=${iso(2)}`, ['new', 'failed']],
    ['to, exclusive', () => `to=${iso(4)}`, ['direct', 'nearly expired']],
    ['a span', () => `from=${iso(4)}&to=${iso(2)}`, ['other type', 'staging']],
    ['a span that is empty', () => `from=${iso(2)}&to=${iso(2)}`, []],
    ['another offset', () => `to=${encodeURIComponent(withOffset(4))}`, ['direct', 'nearly expired']],
    ['year 1', () => 'from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59-23:59&status=failed', ['failed', 'staging']],
    ['all before the retention', () => `to=${iso(168)}`, []],
  ])('by %s', async (_, query, expected) => {
    expect(await list(query())).toEqual(expected);
  });

  test('the pages together hold every delivery once', async () => {
    const seen: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await call('get', `/deliveries?limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...names(page.body));
      cursor = page.body.nextCursor;
    }
    expect(seen).toEqual(['new', 'failed', 'other type', 'staging', 'direct', 'nearly expired']);
  });

  test('a cursor is refused when altered, and with any other list or filter', async () => {
    const { nextCursor } = (await call('get', `/deliveries?limit=1&endpoint_id=${first}`)).body;
    expect(await list(`endpoint_id=${first}&cursor=${nextCursor}&limit=2`)).toEqual(['failed', 'other type']);
    const flipped = nextCursor.slice(0, -2) + (nextCursor.endsWith('AA') ? 'BB' : 'AA');
    for (const path of [
      `/deliveries?cursor=${nextCursor}`,
      `/deliveries?endpoint_id=${second}&cursor=${nextCursor}`,
      `/deliveries?endpoint_id=${first}&status=failed&cursor=${nextCursor}`,
      `/deliveries?endpoint_id=${first}&from=${iso(3)}&cursor=${nextCursor}`,
      `/deliveries?endpoint_id=${first}&cursor=${flipped}`,
      `/deliveries?endpoint_id=${first}&cursor=%00`,
      '/deliveries?cursor=',
      `/applications?cursor=${nextCursor}`,
    ]) {
      const reply = await call('get', path);
      expect([path, reply.status, codeOf(reply)]).toEqual([path, 400, 'invalid_cursor']);
    }
    expect(codeOf(await call('get', `/deliveries?cursor=${'x'.repeat(5_000)}`))).toBe('invalid_cursor');
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=',
    'limit=ten',
    'status=done',
    'status=',
    'from=2026-01-01',
    'from=2026-01-01T00:00:00',
    'to=x',
    'event_type=Order',
    'event_type=%00',
    'endpoint_id=',
    'status=failed&status=failed',
  ])('%s is refused', async (query) => {
    expect(codeOf(await call('get', `/deliveries?${query}`))).toBe('validation_error');
  });

  test('a filter id that never existed, or belongs to another workspace, is not found', async () => {
    const other = await api.seedAnother();
    for (const id of [
      'ep_x',
      toId('ep', newUuid(new Date())),
      '%00',
      'x'.repeat(10_000),
      first.replace('ep_', 'env_'),
    ]) {
      const reply = await call('get', `/deliveries?endpoint_id=${id}`);
      expect([reply.status, reply.body.error.message]).toEqual([404, 'Endpoint not found']);
    }
    for (const id of ['env_x', toId('env', newUuid(new Date())), other.environmentId]) {
      const reply = await call('get', `/deliveries?environment_id=${id}`);
      expect([reply.status, reply.body.error.message]).toEqual([404, 'Environment not found']);
    }
  });
});

test('when their endpoint and environment are deleted, deliveries stay readable and are still found by both', async () => {
  const list404 = () => call('get', `/endpoints/${second}/deliveries`);
  expect(names((await list404()).body)).toEqual(['staging', 'direct']);
  await call('delete', `/endpoints/${second}`);
  expect((await list404()).body.error).toEqual({ code: 'not_found', message: 'Endpoint not found' });
  await call('delete', `/environments/${staging}`);
  expect(await list(`endpoint_id=${second}`)).toEqual(['staging', 'direct']);
  expect(await list(`environment_id=${staging}`)).toEqual(['staging', 'direct']);
  expect(await list('limit=100')).toContain('staging');
  for (const endpointId of [second, first, 'ep_x']) {
    const reply = await call('get', `/endpoints/${endpointId}/deliveries/${made.staging}`);
    expect([reply.status, reply.body.endpointId]).toEqual([200, second]);
  }
});

/** The same instant in the notation of a time zone two hours east of UTC. */
function withOffset(hoursAgo: number): string {
  return at(hoursAgo - 2)
    .toISOString()
    .replace('Z', '+02:00');
}
