import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { onServer } from '@posthorn/testkit/database';
import { createIngest, type Ingest } from '@posthorn/testkit/ingest-client';
import { type PostgresPair, startPostgresPair } from '@posthorn/testkit/postgres-pair';
import { findPostgres } from '@posthorn/testkit/postgres-server';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { startTcpGate, type TcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';

// Tests an API with DATABASE_READ_URL and a synchronous streaming standby (docs/interface.md, When a
// change takes hold).

const programs = await findPostgres();
const testWithStandby = programs === undefined ? test.skip : test;
let pair: PostgresPair;
let replica: TcpGate;
let stack: Stack;
let call: ApiClient['call'];
let ingest: Ingest;
let endpoint = '';

beforeAll(async () => {
  if (programs === undefined) return;
  pair = await startPostgresPair(programs);
  replica = await startTcpGate(pair.standby.url);
  stack = await startStack({ database: pair, dispatchers: 0, settings: { DATABASE_READ_URL: replica.url } });
  ({ call } = createApiClient({ ...stack, baseUrl: stack.api.url }));
  ingest = createIngest({ api: stack.api, apiKey: stack.apiKey });
  const { body } = await call<{ id: string }>('POST', '/endpoints', {
    url: 'https://127.0.0.1/hook',
    environmentId: stack.environmentId,
  });
  endpoint = body.id;
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await replica?.close();
}, 60_000);

const LISTS = {
  events: '/events',
  deliveries: '/deliveries',
  'deliveries of an endpoint': () => `/endpoints/${endpoint}/deliveries`,
  'audit entries': '/audit-logs',
  statistics: '/stats?step=minute',
};

/** The response of each list, and the database that it names. */
async function readLists() {
  const read = async ([name, path]: [string, string | (() => string)]) => {
    const { status, body, headers } = await call('GET', typeof path === 'string' ? path : path());
    return [name, { status, from: headers.get('posthorn-read-from'), body: JSON.stringify(body) }] as const;
  };
  return Object.fromEntries(await Promise.all(Object.entries(LISTS).map(read)));
}

async function accept(): Promise<string> {
  const { status, body } = await ingest(endpoint, '{}');
  expect(status).toBe(202);
  return String(body.id);
}

testWithStandby(
  'lists and statistics come from the replica and say so; everything else shows every change',
  async () => {
    const early = await accept();
    await waitFor(async () => (await readLists()).deliveries?.body.includes(early), { what: 'the replica to follow' });
    await onServer(pair.standby.adminUrl, 'select pg_wal_replay_pause()');
    const late = await accept();
    await call('PATCH', `/endpoints/${endpoint}`, { description: 'changed' });
    const lists = await readLists();
    const named = Object.keys(LISTS).map((name) => [name, { status: 200, from: 'replica' }]);
    expect(lists).toMatchObject(Object.fromEntries(named));
    for (const name of ['events', 'deliveries', 'deliveries of an endpoint']) {
      expect([name, lists[name]?.body.includes(early), lists[name]?.body.includes(late)]).toEqual([name, true, false]);
    }
    expect(lists['audit entries']?.body).not.toContain('endpoint.updated');
    for (const path of [`/events/${late}`, `/endpoints/${endpoint}`, '/endpoints']) {
      const { status, headers } = await call('GET', path);
      expect([path, status, headers.get('posthorn-read-from')]).toEqual([path, 200, null]);
    }
    expect((await call('GET', `/endpoints/${endpoint}`)).body.description).toBe('changed');
    const again = { 'content-type': 'application/json', 'idempotency-key': 'once' };
    const first = await ingest(endpoint, '{}', again);
    expect((await ingest(endpoint, '{}', again)).body).toMatchObject({ id: first.body.id });
    await onServer(pair.standby.adminUrl, 'select pg_wal_replay_resume()');
    await waitFor(async () => (await readLists()).events?.body.includes(late), { what: 'the replica to follow' });
  },
);

testWithStandby('while the replica is away, lists come from the primary, and nothing fails', async () => {
  const event = await accept();
  await replica.shut();
  const lists = await readLists();
  const named = Object.keys(LISTS).map((name) => [name, { status: 200, from: 'primary' }]);
  expect(lists).toMatchObject(Object.fromEntries(named));
  expect(lists.events?.body).toContain(event);
  await waitFor(() => stack.api.output().includes('lists are read from the primary'), { what: 'the log line' });
  expect((await fetch(`${stack.api.url}/readyz`)).status).toBe(200);
  // For ten seconds after the replica's return, lists still come from the primary.
  await replica.open();
  expect((await readLists()).events?.from).toBe('primary');
});

testWithStandby(
  'a commit that the synchronous standby has not written is not acknowledged, even after the statement timeout',
  async () => {
    const url = Object.assign(new URL(pair.primary.url), { search: '?options=-c%20statement_timeout%3D100' }).href;
    await onServer(url, 'create table acknowledged (n int)');
    pair.link.freeze();
    let isAcknowledged = false;
    const insert = onServer(url, 'insert into acknowledged values (1)').then(() => {
      isAcknowledged = true;
    });
    const waits = `select 1 from pg_stat_activity
      where wait_event = 'SyncRep' and query like 'insert into acknowledged%' and now() - query_start > interval '500 ms'`;
    await waitFor(async () => (await onServer(pair.primary.adminUrl, waits)).length === 1, { what: 'the wait' });
    expect(isAcknowledged).toBe(false);
    pair.link.thaw();
    await insert;
    expect(await onServer(pair.primary.url, 'select n from acknowledged')).toEqual([{ n: 1 }]);
  },
);
