import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApiError, Posthorn } from '@posthorn/client';
import {
  type Database,
  drizzleDatabase,
  fromDrizzle,
  fromPg,
  fromPrisma,
  outbox,
  pgDatabase,
  prismaDatabase,
  relay,
  relayPage,
  type Sql,
} from '@posthorn/client/outbox';
import { waitFor } from '@posthorn/testkit/wait-for';
import { sql as drizzleTag } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { type Services, startServices } from '../services-in-process.ts';

// Tests the outbox on a real Postgres, with a running Posthorn.

const TYPE = 'order.paid';
const program = fileURLToPath(new URL('programs/relay.mjs', import.meta.url));

let stack: Services;
let posthorn: Posthorn;
let pool: pg.Pool;
beforeAll(async () => {
  stack = await startServices({ dispatchers: 0, settings: { RATE_LIMIT_MANAGEMENT: '0' } });
  posthorn = new Posthorn({ baseUrl: stack.api.url, token: stack.managementToken, apiKey: stack.apiKey });
  await posthorn.eventTypes.create({ name: TYPE, publishIn: [stack.environmentId] });
  pool = new pg.Pool({ connectionString: stack.databaseUrl });
  await pool.query(readFileSync(new URL('../../sdks/typescript/outbox.sql', import.meta.url), 'utf8'));
}, 180_000);
afterAll(async () => {
  await pool?.end();
  await stack?.stop();
});
beforeEach(async () => {
  await pool.query('TRUNCATE posthorn_outbox');
});

/** Runs the work in a transaction, and rolls it back if the work throws. */
type InTransaction = (work: (sql: Sql) => Promise<unknown>) => Promise<unknown>;

const adapters: Record<string, () => { database: Database; inTransaction: InTransaction }> = {
  pg: () => ({
    database: pgDatabase(pool),
    async inTransaction(work) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        await work(fromPg(client));
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
  }),
  Prisma: () => ({
    database: prismaDatabase(stack.db),
    inTransaction: (work) => stack.db.$transaction((tx) => work(fromPrisma(tx))),
  }),
  Drizzle: () => {
    const db = drizzle(pool);
    return {
      database: drizzleDatabase(db, drizzleTag),
      inTransaction: (work) => db.transaction((tx) => work(fromDrizzle(tx, drizzleTag))),
    };
  },
};

describe.each(Object.keys(adapters))('with %s', (name) => {
  const adapter = () => adapters[name]?.() ?? Promise.reject(new Error(name));

  test('an event of a committed transaction is sent with its payload and options, and its row is gone', async () => {
    const { database, inTransaction } = await adapter();
    const key = `${name}-committed`;
    const options = { key, application: '*', orderingKey: 'customer-42', contentType: 'application/octet-stream' };
    await inTransaction((sql) => outbox(sql).send(TYPE, new Uint8Array([0, 1, 255]), options));
    expect(await relayPage(database, posthorn)).toBe(1);
    const [event] = await posthorn.events.list({ idempotencyKey: key }).toArray({ limit: 2 });
    expect(event).toMatchObject({ eventTypeName: TYPE, orderingKey: 'customer-42' });
    const { payload } = await posthorn.events.get(event?.id ?? '', { include: 'payload' });
    expect(payload).toMatchObject({ contentType: 'application/octet-stream', encoding: 'base64', body: 'AAH/' });
    expect(await waiting()).toBe(0);
  });

  test('an event of a transaction that is rolled back is never sent', async () => {
    const { database, inTransaction } = await adapter();
    const work = async (sql: Sql) => {
      await outbox(sql).send(TYPE, { total: 1900 }, { application: '*' });
      throw new Error('the order is out of stock');
    };
    await expect(inTransaction(work)).rejects.toThrow('out of stock');
    expect([await waiting(), await relayPage(database, posthorn)]).toEqual([0, 0]);
  });
});

test('an event that Posthorn refuses stays with its reason and holds up no other', async () => {
  const refused: [string, string][] = [];
  await outbox(fromPg(pool)).send('order.unknown', {}, { application: '*', key: 'refused-1' });
  await outbox(fromPg(pool)).send(TYPE, {}, { application: '*', key: 'refused-2' });
  const onRefused = ({ id }: { id: string }, error: ApiError) => refused.push([id, error.code]);
  expect(await relayPage(pgDatabase(pool), posthorn, { onRefused })).toBe(2);
  expect(refused).toEqual([['refused-1', 'not_found']]);
  const { rows } = await pool.query('SELECT id, refused FROM posthorn_outbox');
  expect(rows).toEqual([{ id: 'refused-1', refused: expect.stringMatching(/^not_found: /) }]);
});

test('an event that no request can carry is refused when it is written, and as a row it holds up no other', async () => {
  const send = (...args: Parameters<ReturnType<typeof outbox>['send']>) => outbox(fromPg(pool)).send(...args);
  await expect(send('', {}, { application: '*' })).rejects.toMatchObject({ name: 'OptionError' });
  await expect(send(TYPE, {}, { application: '*', deliverAt: 'to morrow' })).rejects.toMatchObject({
    option: 'deliverAt',
  });
  await send(TYPE, {}, { application: '*', key: 'carried-1' });
  await send(TYPE, {}, { application: '*', key: 'carried-2' });
  await pool.query(`UPDATE posthorn_outbox SET id = 'with a space' WHERE id = 'carried-1'`);
  const refused: [string, string][] = [];
  const onRefused = ({ id }: { id: string }, error: ApiError) => refused.push([id, error.code]);
  expect(await relayPage(pgDatabase(pool), posthorn, { onRefused })).toBe(2);
  expect(refused).toEqual([['with a space', 'validation_error']]);
  const { rows } = await pool.query('SELECT id, refused FROM posthorn_outbox');
  const reason = expect.stringMatching(/^validation_error: idempotencyKey must be visible/);
  expect(rows).toEqual([{ id: 'with a space', refused: reason }]);
});

test('without an API key nothing is refused for good', async () => {
  await outbox(fromPg(pool)).send(TYPE, {}, { application: '*', key: 'no-key-1' });
  const keyless = new Posthorn({ baseUrl: stack.api.url, token: stack.managementToken });
  await expect(relayPage(pgDatabase(pool), keyless)).rejects.toMatchObject({ option: 'apiKey' });
  expect(await waiting()).toBe(1);
});

test('a Posthorn that is down keeps the events, and they are sent when it is back', async () => {
  const down = new Posthorn({ baseUrl: 'http://127.0.0.1:9', apiKey: stack.apiKey, retries: 0 });
  await outbox(fromPg(pool)).send(TYPE, {}, { application: '*', key: 'outage-1' });
  await expect(relayPage(pgDatabase(pool), down)).rejects.toMatchObject({ name: 'ConnectionError' });
  expect(await waiting()).toBe(1);
  expect(await relayPage(pgDatabase(pool), posthorn)).toBe(1);
});

test('a connection of pg that is lost while an event is sent is an error of the page, and no second event', async () => {
  await outbox(fromPg(pool)).send(TYPE, {}, { application: '*', key: 'lost-1' });
  let ended: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await globalThis.fetch(input, init);
    // This ends the relay's connection, which holds the relay's lock.
    const { rows } = await pool.query(`SELECT pg_terminate_backend(pid, 10000) AS ended FROM pg_locks
      WHERE locktype = 'advisory' AND granted AND (classid::bigint << 32) + objid::bigint = 5703104267129001
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
    ended = rows;
    return answer;
  };
  const cutting = new Posthorn({ baseUrl: stack.api.url, apiKey: stack.apiKey, retries: 0, fetch });
  await expect(relayPage(pgDatabase(pool), cutting)).rejects.toThrow();
  expect(ended).toEqual([{ ended: true }]);
  expect(await waiting()).toBe(1);
  expect(await relayPage(pgDatabase(pool), posthorn)).toBe(1);
  expect(await posthorn.events.list({ idempotencyKey: 'lost-1' }).toArray({ limit: 2 })).toHaveLength(1);
});

test('a signal ends the relay', async () => {
  const controller = new AbortController();
  const ended = relay(pgDatabase(pool), posthorn, { signal: controller.signal, pollMs: 60_000 });
  controller.abort();
  await ended;
});

/** Two processes start and send a page or two, while the machine may be busy with other tests. */
const RELAY_MAY_TAKE_MS = 60_000;

test('relays that are killed again and again send every event once, in order', async () => {
  const keys = Array.from({ length: 300 }, (_, n) => `killed-${String(n).padStart(3, '0')}`);
  for (const [n, key] of keys.entries()) await outbox(fromPg(pool)).send(TYPE, { n }, { application: '*', key });
  for (const left of [290, 240, 180, 120, 60]) {
    const relays = [startRelay(), startRelay()];
    const isFarEnough = async () => (await waiting()) <= left;
    await waitFor(isFarEnough, { what: `the outbox to have ${left} events left`, timeoutMs: RELAY_MAY_TAKE_MS });
    await Promise.all(relays.map(kill));
  }
  const last = startRelay();
  await waitFor(async () => (await waiting()) === 0, { what: 'the outbox to be empty', timeoutMs: RELAY_MAY_TAKE_MS });
  await kill(last);

  const events = await posthorn.events.list({ eventType: TYPE }).toArray({ limit: 10_000 });
  const sent = events.filter(({ idempotencyKey }) => idempotencyKey.startsWith('killed-'));
  expect(sent.map(({ idempotencyKey }) => idempotencyKey).sort()).toEqual(keys);
  const byKey = sent.sort((a, b) => (a.idempotencyKey < b.idempotencyKey ? -1 : 1)).map(({ createdAt }) => createdAt);
  expect(byKey).toEqual([...byKey].sort());
}, 400_000);

/** The number of committed rows. A row that a relay has sent in its open transaction still counts. */
async function waiting(): Promise<number> {
  const { rows } = await pool.query('SELECT count(*)::int AS count FROM posthorn_outbox WHERE refused IS NULL');
  return rows[0].count;
}

function startRelay(): ChildProcess {
  const { PATH } = process.env;
  return spawn(process.execPath, [program], {
    env: { PATH, DATABASE_URL: stack.databaseUrl, POSTHORN_BASE_URL: stack.api.url, POSTHORN_API_KEY: stack.apiKey },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
