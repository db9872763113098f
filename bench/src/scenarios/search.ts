import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fromId, newUuid } from '@posthorn/contract/ids';
import { parseSealingKeys } from '@posthorn/crypto/seal';
import { createDb } from '@posthorn/db/client';
import { withConnection } from '@posthorn/db/connection';
import { readSearchKeys } from '@posthorn/search/stored-keys';
import { openSearchKey, tokenOf } from '@posthorn/search/tokens';
import { insertSearched } from '../backlog.ts';
import { percentile, timeFigures } from '../figures.ts';
import { CONNECTIONS, WARM_UP_SECONDS } from '../flat-out.ts';
import { type Ingest, now, postFlatOut } from '../load.ts';
import { ingestAt, ingestPath, type Management, managementOf } from '../management.ts';
import { cpuSeconds, type Measured } from '../processes.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { type Stack, withStack } from '../stack.ts';
import { readSizes } from '../storage-sizes.ts';

/** The number of events. `BENCH_SEARCHED` sets another. */
const EVENTS = Number(process.env.BENCH_SEARCHED ?? 10_000_000);
/** The number of events with values that are searched for. */
const KNOWN = 2_000;
const OF_A_CUSTOMER = 20;
const ROUNDS = 7;
const TYPES = { searched: 'bench.searched', plain: 'bench.plain' };
const SEARCH_KEYS = [
  { name: 'order_id', path: 'id' },
  { name: 'customer', path: 'customer' },
];

export const search: Scenario = {
  name: 'search',
  what: `a search of one value among ${EVENTS.toLocaleString('en-US')} events with two each; what the values cost ingestion and storage`,
  // Ten million events take some minutes to insert.
  moreSeconds: 1_800,
  run: (context) => withStack(context, (stack) => measure(context, stack)),
};

async function measure({ seconds, say }: Context, stack: Stack): Promise<Outcome> {
  const api = await stack.startApi();
  const manage = managementOf(api, stack);
  const publishIn = [stack.environmentId];
  await manage('POST', '/event-types', { name: TYPES.searched, searchKeys: SEARCH_KEYS, publishIn });
  await manage('POST', '/event-types', { name: TYPES.plain, publishIn });
  say('accepting events with two values, and without');
  const cost = await costOfValues(stack, [{ name: 'api', pid: api.pid }, ...stack.stores], seconds, [api]);
  say(`inserting ${EVENTS.toLocaleString('en-US')} events`);
  const known = await insertKnown(stack);
  const bytes = await bytesOfValue(stack);
  say('searching');
  const isCold = await dropCaches(stack);
  const orders = known.map((_, n) => `order_id:order_${n}`);
  const first = await searchAll(manage, orders, 1);
  const again = await searchAll(manage, orders, 1);
  const missed = await searchAll(
    manage,
    orders.map((text) => `${text}_missing`),
    0,
  );
  const customers = orders.slice(0, KNOWN / OF_A_CUSTOMER).map((_, n) => `customer:customer_${n}`);
  const many = await searchAll(manage, customers, OF_A_CUSTOMER);
  return {
    figures: [
      ...timeFigures(isCold ? 'hit, cold' : 'hit, for the first time', first),
      ...timeFigures('hit', again),
      ...timeFigures('miss', missed),
      ...timeFigures(`hit of ${OF_A_CUSTOMER} events`, many),
      { figure: 'bytes a value, both indexes included', value: bytes, unit: 'bytes' },
      ...[...cost].map(([name, value]) => ({ figure: `CPU ${name}, two values of an event`, value, unit: 'µs' })),
    ],
  };
}

/** The CPU that two values add to an event: medians of rounds in turns. */
async function costOfValues(
  stack: Stack,
  processes: readonly Measured[],
  seconds: number,
  apis: readonly { url: string }[],
): Promise<Map<string, number>> {
  const bodies = Array.from({ length: KNOWN }, (_, n) =>
    JSON.stringify({ id: `order_new_${n}`, customer: `customer_new_${n}`, note: 'x'.repeat(430) }),
  );
  const ingests = [TYPES.plain, TYPES.searched].map((type) => ({
    ...ingestAt(stack, apis, [ingestPath(type)]),
    bodies,
  }));
  for (const ingest of ingests) await postFlatOut(ingest, CONNECTIONS, WARM_UP_SECONDS);
  const rounds: Map<string, number>[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const taken: Map<string, number>[] = [];
    for (const ingest of ingests) taken.push(await cpuOfEvent(ingest, processes, seconds / ROUNDS));
    rounds.push(taken);
  }
  const names = [...(rounds[0]?.[0]?.keys() ?? [])];
  const difference = ([plain, searched]: Map<string, number>[], name: string) =>
    (searched?.get(name) ?? Number.NaN) - (plain?.get(name) ?? Number.NaN);
  return new Map(
    names.map((name) => [
      name,
      percentile(
        rounds.map((taken) => difference(taken, name)),
        50,
      ),
    ]),
  );
}

async function cpuOfEvent(ingest: Ingest, processes: readonly Measured[], seconds: number) {
  const before = cpuSeconds(processes);
  const { accepted } = await postFlatOut(ingest, CONNECTIONS, Math.max(1, seconds));
  const after = cpuSeconds(processes);
  return new Map([...after].map(([name, used]) => [name, ((used - (before.get(name) ?? 0)) / accepted) * 1e6]));
}

/** Inserts the events, some of them with tokens of known values, and returns the ids of those. */
async function insertKnown(stack: Stack): Promise<string[]> {
  const db = createDb({ databaseUrl: stack.databaseUrl, maxConnections: 1, onIdleError: () => {} });
  try {
    const [stored] = await readSearchKeys(db, fromId('ws', stack.workspaceId) ?? '');
    const environmentId = fromId('env', stack.environmentId) ?? '';
    const key = stored && openSearchKey(parseSealingKeys(stack.sealingKeys), stored);
    if (key === undefined) throw new Error('the search key cannot be opened');
    const spreadMs = 5 * 86_400_000;
    const known = Array.from({ length: KNOWN }, (_, n) => ({
      id: newUuid(new Date(now() - ((n + 0.5) / KNOWN) * spreadMs)),
      tokens: [`order_${n}`, `customer_${Math.floor(n / OF_A_CUSTOMER)}`].map((text, at) =>
        tokenOf(key, environmentId, { name: SEARCH_KEYS[at]?.name ?? '', type: 'string', text }),
      ),
    }));
    await insertSearched(stack, { known, rows: EVENTS - KNOWN });
    return known.map(({ id }) => id);
  } finally {
    await db.$disconnect();
  }
}

async function bytesOfValue({ databaseUrl }: Stack): Promise<number> {
  return withConnection(databaseUrl, async (connection) => {
    const size = (await readSizes(connection)).get('event_token') ?? Number.NaN;
    const { rows } = await connection.query<{ n: string }>('select count(*) as n from event_token');
    return size / Number(rows[0]?.n);
  });
}

/**
 * Fills Postgres' buffers with other pages, and drops the files of this database from the system's cache. Returns false
 * if the system cannot do so: then the first search of a value may still find cached pages.
 */
async function dropCaches({ databaseUrl }: Stack): Promise<boolean> {
  return withConnection(databaseUrl, async (connection) => {
    await connection.query('checkpoint');
    await connection.query('set enable_seqscan = off; set enable_bitmapscan = off; set enable_indexonlyscan = off');
    await connection.query('select count(payload_size) from (select payload_size from event order by id) as each');
    const { rows } = await connection.query<{ folder: string }>(
      `select current_setting('data_directory') || '/base/' || oid as folder from pg_database where datname = current_database()`,
    );
    const folder = rows[0]?.folder ?? '';
    if (!existsSync(folder)) return false;
    try {
      // Files of tables and indexes begin with a digit. Postgres may remove other files meanwhile.
      for (const file of readdirSync(folder).filter((name) => /^\d/.test(name)))
        execFileSync('dd', [`if=${join(folder, file)}`, 'iflag=nocache', 'count=0', 'status=none']);
      return true;
    } catch {
      return false;
    }
  });
}

type Page = { events: unknown[] };

/** Searches for each text once, one after another. Each search must find `finds` events. */
async function searchAll(manage: Management, texts: readonly string[], finds: number): Promise<number[]> {
  const took: number[] = [];
  for (const text of texts) {
    const startedAt = now();
    const { events } = await manage<Page>('POST', '/events/search', { search: [text] });
    took.push(now() - startedAt);
    if (events.length !== finds) throw new Error(`${text} found ${events.length} events, not ${finds}`);
  }
  return took;
}
