import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { withConnection } from './connection.ts';
import { dropExpiredPartitions, ensurePartitions, PARTITION_DAYS_AHEAD } from './partitions.ts';
import { lowestKeyAt } from './uuid-range.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  // The template may date from before midnight.
  await ensure();
  await dropExpired(1);
});
afterEach(() => database.drop());

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const suffixOf = (instant: Date) => instant.toISOString().slice(0, 10).replaceAll('-', '');

const ensure = (firstDay?: Date) =>
  withConnection(database.databaseUrl, (connection) => ensurePartitions(connection, firstDay));
const dropExpired = (retentionDays: number) =>
  withConnection(database.databaseUrl, (connection) => dropExpiredPartitions(connection, retentionDays));

async function partitionsOf(table: string): Promise<string[]> {
  const rows = await database.db.$queryRaw<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by 1`;
  return rows.map((row) => row.name);
}

async function partitionHolding(id: string): Promise<string | undefined> {
  await database.db.$executeRaw`
    insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id)
    values (${id}::uuid, ${id}::uuid, ${id}::uuid, ${id}::uuid, ${id}::uuid)`;
  const [row] = await database.db.$queryRaw<{ name: string }[]>`
    select tableoid::regclass::text as name from delivery where id = ${id}::uuid`;
  return row?.name;
}

describe('partitions', () => {
  test.each(['event', 'event_token', 'delivery', 'attempt', 'stat'])(
    'of %s exist from yesterday to 14 days ahead',
    async (table) => {
      const days = Array.from({ length: PARTITION_DAYS_AHEAD + 2 }, (_, n) => `${table}_${suffixOf(daysAgo(1 - n))}`);
      expect(await partitionsOf(table)).toEqual(days);
    },
  );

  test('hold each day’s keys, from its first millisecond to its last', async () => {
    const midnight = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
    const lastKey = lowestKeyAt(new Date(midnight.getTime() - 1)).replace(
      '0000-0000-000000000000',
      '7fff-bfff-ffffffffffff',
    );
    expect(await partitionHolding(lowestKeyAt(midnight))).toBe(`delivery_${suffixOf(midnight)}`);
    expect(await partitionHolding(lastKey)).toBe(`delivery_${suffixOf(daysAgo(1))}`);
  });

  test('have the parent’s indexes, and the keys keep rows unique', async () => {
    const key = lowestKeyAt(new Date());
    await partitionHolding(key);
    await expect(partitionHolding(key)).rejects.toThrow();
    const [name] = await partitionsOf('delivery');
    const indexes = await database.db.$queryRaw<{ indexdef: string }[]>`
      select indexdef from pg_indexes where tablename = ${name} and indexdef like '%(due_at)%'`;
    expect(indexes).toHaveLength(1);
  });

  test('are created once each, without an error, when several callers find them missing at once', async () => {
    const before = await partitionsOf('event');
    await Promise.all(Array.from({ length: 5 }, () => ensure(daysAgo(6))));
    const made = (await partitionsOf('event')).filter((name) => !before.includes(name));
    expect(made).toEqual([6, 5, 4, 3, 2].map((days) => `event_${suffixOf(daysAgo(days))}`));
  });

  test('of tokens exist for every day that has events, so that older events can be indexed', async () => {
    const ask = (statement: string) =>
      withConnection(database.databaseUrl, (connection) => connection.query(statement));
    await ensure(daysAgo(20));
    const oldest = `event_token_${suffixOf(daysAgo(20))}`;
    await ask(`drop table ${oldest}`);
    await ensure();
    expect((await partitionsOf('event_token'))[0]).toBe(oldest);
  });
});

describe('retention', () => {
  test('drops the days on which every row has expired, of all tables, and no others', async () => {
    await ensure(daysAgo(10));
    const dropped = await dropExpired(7);
    const expected = ['attempt', 'delivery', 'event', 'event_token', 'stat'].flatMap((table) =>
      [10, 9, 8].map((days) => `${table}_${suffixOf(daysAgo(days))}`),
    );
    expect(dropped.sort()).toEqual(expected.sort());
    expect((await partitionsOf('delivery'))[0]).toBe(`delivery_${suffixOf(daysAgo(7))}`);
    expect(await dropExpired(7)).toEqual([]);
  });

  test('drops of each day the events first, so that none is left that cannot be fanned out', async () => {
    await ensure(daysAgo(9));
    const ofDay = (days: number) =>
      ['event', 'event_token', 'delivery', 'attempt', 'stat'].map((table) => `${table}_${suffixOf(daysAgo(days))}`);
    expect(await dropExpired(7)).toEqual([...ofDay(9), ...ofDay(8)]);
  });

  test('is run by one caller at a time, and no caller fails', async () => {
    await ensure(daysAgo(10));
    const dropped = await Promise.all(Array.from({ length: 5 }, () => dropExpired(7)));
    expect(dropped.flat()).toHaveLength(15);
  });

  test('drops those of other days when one cannot be dropped, and reports that one with the reason', async () => {
    await ensure(daysAgo(10));
    const kept = `event_${suffixOf(daysAgo(10))}`;
    const laterOfDay = ['event_token', 'delivery', 'attempt', 'stat'].map(
      (table) => `${table}_${suffixOf(daysAgo(10))}`,
    );
    const ask = (statement: string) =>
      withConnection(database.databaseUrl, (connection) => connection.query(statement));
    await ask(`create view reads_it as select id from ${kept}`);
    await expect(dropExpired(7)).rejects.toThrow(
      new RegExp(`^expired partitions stay: ${kept}: .*other objects depend`),
    );
    const left = await database.db.$queryRaw<{ relname: string }[]>`
      select relname from pg_class where relkind = 'r' and relname ~ '_[0-9]{8}$'
        and right(relname, 8) < ${suffixOf(daysAgo(7))}`;
    expect(left.map(({ relname }) => relname).sort()).toEqual([kept, ...laterOfDay].sort());
    await ask('drop view reads_it');
    expect(await dropExpired(7)).toEqual([kept, ...laterOfDay]);
  });

  test('works beside writers and readers', async () => {
    await ensure(daysAgo(10));
    let dropping = true;
    const load = (async () => {
      for (let n = 0; dropping; n += 1) await partitionHolding(lowestKeyAt(new Date(Date.now() + n)));
    })();
    expect(await dropExpired(7)).toHaveLength(15);
    dropping = false;
    await load;
  });
});

describe('a round of retention that was interrupted', () => {
  test('while detaching, or before dropping, is finished by the next round', async () => {
    await ensure(daysAgo(12));
    const [detaching, detached] = [`delivery_${suffixOf(daysAgo(12))}`, `attempt_${suffixOf(daysAgo(11))}`];
    await withConnection(database.databaseUrl, async (reader) => {
      await reader.query('begin');
      await reader.query('select count(*) from delivery');
      await withConnection(database.databaseUrl, async (cutOff) => {
        await cutOff.query(`set statement_timeout = '300ms'`);
        const detach = cutOff.query(`alter table delivery detach partition ${detaching} concurrently`);
        await expect(detach).rejects.toThrow(/timeout/);
      });
      await reader.query('commit');
    });
    // Postgres detaches one partition of a table at a time, so the other one belongs to another table.
    await withConnection(database.databaseUrl, (connection) =>
      connection.query(`alter table attempt detach partition ${detached}`),
    );
    expect(await dropExpired(8)).toEqual(expect.arrayContaining([detaching, detached]));
    const left = await database.db.$queryRaw`select 1 from pg_class where relname in (${detaching}, ${detached})`;
    expect(left).toEqual([]);
  });
});

test('summaries of blocks are made as a partition grows, not only by a vacuum', async () => {
  const { rows } = await withConnection(database.databaseUrl, (connection) =>
    connection.query<{ table: string; summarizes: boolean }>(`
      select x.indrelid::regclass::text as "table", coalesce('autosummarize=on' = any(c.reloptions), false) as summarizes
      from pg_class c join pg_am a on a.oid = c.relam join pg_index x on x.indexrelid = c.oid
      where a.amname = 'brin' and c.relkind = 'i'`),
  );
  const tables = rows.filter(({ summarizes }) => summarizes).map(({ table }) => table);
  expect(tables).toEqual(rows.map(({ table }) => table));
  const later = suffixOf(daysAgo(-PARTITION_DAYS_AHEAD));
  expect(tables).toEqual(expect.arrayContaining([`attempt_${later}`, `delivery_${later}`]));
});
