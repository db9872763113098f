import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withConnection } from '@posthorn/db/connection';
import { openBus } from '@posthorn/queue/postgres/bus';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { migrateTest } from '@posthorn/testkit/database';
import { createIngest, type Ingest } from '@posthorn/testkit/ingest-client';
import { findPostgres } from '@posthorn/testkit/postgres-server';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';
import { findPooler, type Pooler, SERVER_CONNECTIONS, startPooler } from './pooler.ts';

// Tests the services behind a real pgbouncer in transaction mode. Before version 1.21, it knows no prepared statements.

const program = findPooler();
const programs = await findPostgres();
const testWithPooler = program === undefined || programs === undefined ? test.skip : test;
let pooler: Pooler;
let receiver: Receiver;
let stack: Stack;
let client: ApiClient;
let ingest: Ingest;

beforeAll(async () => {
  if (program === undefined || programs === undefined) return;
  receiver = await startReceiver();
  stack = await startStack({
    async prepare({ databaseUrl }) {
      // As in production. The server of the tests does not wait for its disk.
      await withConnection(databaseUrl, (connection) =>
        connection.query(`do $$ begin
          execute format('alter database %I set synchronous_commit = on', current_database());
        end $$`),
      );
      pooler = await startPooler(program, { databaseUrl, user: programs.user });
      return {
        DATABASE_URL: pooler.url,
        DATABASE_DIRECT_URL: databaseUrl,
        DATABASE_PREPARED_STATEMENTS: String(program.knowsPrepared),
        RETRY_SCHEDULE: '1,1',
        SWEEP_INTERVAL_MS: '500',
      };
    },
  });
  client = createApiClient({ ...stack, baseUrl: stack.api.url });
  ingest = createIngest(stack);
}, 60_000);
afterAll(async () => {
  await stack?.stop();
  await pooler?.stop();
  await receiver?.close();
}, 60_000);

const EVENTS = 60;
const KEYS = 3;

testWithPooler(
  'behind pgbouncer in transaction mode every event is delivered once, in order where asked for, and no session keeps a lock',
  async () => {
    let refused = 0;
    // The first attempts of some deliveries fail, so that retries and their settles run too.
    receiver.respondWith(() => (refused++ % 10 === 0 && refused < 60 ? { status: 500 } : {}));
    const plain = new URL('/plain', receiver.url).href;
    const ordered = new URL('/ordered', receiver.url).href;
    await client.subscribeEndpoint({ url: plain, eventType: 'pool.plain' });
    const { endpointId } = await client.subscribeEndpoint({
      url: ordered,
      eventType: 'pool.ordered',
      config: { ordering: 'fifo' },
    });
    const json = { 'content-type': 'application/json' };
    const send = async (n: number) => {
      const key = { 'idempotency-key': `key-${n}` };
      const order = { 'x-ordering-key': `customer-${n % KEYS}` };
      const [one, two, repeated] = await Promise.all([
        ingest('event/pool.plain', `{"n":${n}}`, { ...json, ...key }),
        ingest('event/pool.ordered', `{"n":${n}}`, { ...json, ...order }),
        ingest('event/pool.plain', `{"n":${n}}`, { ...json, ...key }),
      ]);
      expect([one.status, two.status, repeated.status, repeated.body.id]).toEqual([202, 202, 202, one.body.id]);
      // Changes, lists and statistics share the pooler's few connections with ingestion.
      const changed = await client.call('PATCH', `/endpoints/${endpointId}`, { description: `changed ${n}` });
      const listed = await client.call('GET', '/deliveries?limit=5');
      expect([changed.status, listed.status]).toEqual([200, 200]);
    };
    // Sends one event of each key at a time, because the events of a key have an order.
    for (let n = 0; n < EVENTS; n += KEYS) await Promise.all([0, 1, 2].map((more) => send(n + more)));
    const settled = () => stack.db.delivery.count({ where: { status: 'delivered' } });
    await waitFor(async () => (await settled()) === 2 * EVENTS, { what: 'the deliveries', timeoutMs: 60_000 });
    expect(await stack.db.delivery.count()).toBe(2 * EVENTS);
    const received = receiver.requests
      .filter(({ url }) => url === '/ordered')
      .map(({ body }) => JSON.parse(String(body)).n);
    for (const key of [0, 1, 2]) {
      const ofKey = received.filter((n) => n % KEYS === key);
      expect(ofKey).toEqual([...ofKey].sort((a, b) => a - b));
    }
    expect((await client.call('GET', '/stats?step=minute')).status).toBe(200);
    const locks = () => stack.db.$queryRaw<unknown[]>`
      select 1 from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`;
    await waitFor(async () => (await locks()).length === 0, { what: 'no advisory lock' });
    for (const { output } of [stack.api, ...stack.dispatchers])
      expect(output()).not.toMatch(/"level":"error"|prepared/);
  },
  90_000,
);

testWithPooler(
  'messages through the pooler leave no setting behind: on its connections, a commit is still awaited',
  async () => {
    let faults = 0;
    const bus = openBus({
      ...{ processId: randomUUID(), databaseUrl: pooler.url, workers: () => 1 },
      monotonicMs: () => performance.now(),
      onError: () => {
        faults += 1;
      },
    });
    await waitFor(() => bus.isUp() || faults > 0, { what: 'the first message', timeoutMs: 30_000 });
    let isHeld = 0;
    const settings = Array.from({ length: SERVER_CONNECTIONS }, () =>
      withConnection(pooler.url, async (connection) => {
        await connection.query('begin');
        const { rows } = await connection.query(`select current_setting('synchronous_commit') as awaited,
        current_setting('tcp_user_timeout') as timeout`);
        isHeld += 1;
        await waitFor(() => isHeld === SERVER_CONNECTIONS, {
          what: 'all connections of the pooler',
          timeoutMs: 30_000,
        });
        await connection.query('commit');
        return rows[0];
      }),
    );
    const usual = { awaited: 'on', timeout: '0' };
    expect(await Promise.all(settings)).toEqual(Array.from({ length: SERVER_CONNECTIONS }, () => usual));
    await bus.close();
  },
  60_000,
);

testWithPooler('migrate refuses the pooler and names the settings to set', async () => {
  await expect(migrateTest(pooler.url)).rejects.toThrow(/a pooler .* DATABASE_DIRECT_URL/);
});
