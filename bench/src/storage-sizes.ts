import type pg from 'pg';

/** Bytes of each table with its partitions, indexes and TOAST, by the name of the parent. */
export type Sizes = Map<string, number>;

/** The sizes of all tables of the database. */
export async function readSizes(connection: pg.Client): Promise<Sizes> {
  const { rows } = await connection.query<{ name: string; bytes: string }>(
    `select coalesce(parent.relname, c.relname) as name, sum(pg_total_relation_size(c.oid)) as bytes
     from pg_class c
     left join pg_inherits i on i.inhrelid = c.oid
     left join pg_class parent on parent.oid = i.inhparent
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     group by 1`,
  );
  return new Map(rows.map((row) => [row.name, Number(row.bytes)]));
}

/** The growth of each table in bytes, without tables that did not grow. */
export function growth(before: Sizes, after: Sizes): Sizes {
  return new Map(
    [...after]
      .map(([name, bytes]): [string, number] => [name, bytes - (before.get(name) ?? 0)])
      .filter(([, n]) => n !== 0),
  );
}

export function total(sizes: Sizes): number {
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Disables autovacuum for every table of this database, so that written rows stay countable. */
export async function stopAutovacuum(connection: pg.Client): Promise<void> {
  for (const name of await tableNames(connection)) {
    await connection.query(`alter table "${name}" set (autovacuum_enabled = false)`);
  }
}

/** Rewrites every table without dead rows. */
export async function rewriteTables(connection: pg.Client): Promise<void> {
  for (const name of await tableNames(connection)) await connection.query(`vacuum full "${name}"`);
}

export type Wal = { bytes: number; pageImageBytes: number | undefined };

/** A position in the WAL, to measure from. */
export async function walPlace(connection: pg.Client): Promise<string> {
  const { rows } = await connection.query<{ lsn: string }>('select pg_current_wal_flush_lsn() as lsn');
  return rows[0]?.lsn ?? '';
}

/** The WAL written since `from`, and the part of it that is full-page images, if the server can report it. */
export async function walSince(connection: pg.Client, from: string): Promise<Wal> {
  const to = await walPlace(connection);
  const { rows } = await connection.query<{ bytes: string }>('select pg_wal_lsn_diff($1, $2) as bytes', [to, from]);
  return { bytes: Number(rows[0]?.bytes), pageImageBytes: await pageImages(connection, from, to) };
}

async function pageImages(connection: pg.Client, from: string, to: string): Promise<number | undefined> {
  try {
    await connection.query('create extension if not exists pg_walinspect');
    const { rows } = await connection.query<{ bytes: string }>(
      'select sum(fpi_size) as bytes from pg_get_wal_stats($1, $2)',
      [from, to],
    );
    return Number(rows[0]?.bytes);
  } catch {
    return undefined; // A server without the extension, or without permission to use it.
  }
}

async function tableNames(connection: pg.Client): Promise<string[]> {
  const { rows } = await connection.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return rows.map((row) => row.name);
}
