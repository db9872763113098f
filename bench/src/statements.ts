import { withConnection } from '@posthorn/db/connection';
import type { Table } from './scenario.ts';

/** The counts of one statement in Postgres. */
export type Statement = { text: string; calls: number; rows: number; milliseconds: number; walBytes: number };

const MAX_SHOWN = 20;

/** Counts the statements of connections opened from now on to this database, if the server can. */
export async function countStatements(databaseUrl: string): Promise<void> {
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  await whereItCan(databaseUrl, async (connection) => {
    await connection.query('create extension if not exists pg_stat_statements');
    await connection.query(`alter database "${name}" set pg_stat_statements.track = 'top'`);
  });
}

/** Runs `work` and returns the counts of each statement, the longest first; empty if the server cannot count. */
export async function statementsOf(databaseUrl: string, work: () => Promise<unknown>): Promise<Statement[]> {
  await whereItCan(databaseUrl, (connection) => connection.query('select pg_stat_statements_reset()'));
  await work();
  const found = await whereItCan(databaseUrl, (connection) => connection.query<Row>(READ));
  return (found?.rows ?? []).map((row) => ({
    text: row.query.replaceAll(/\s+/g, ' ').trim(),
    calls: Number(row.calls),
    rows: Number(row.rows),
    milliseconds: row.ms,
    walBytes: Number(row.wal),
  }));
}

/** A table of the longest statements, per event. */
export function statementsTable(title: string, statements: readonly Statement[], events: number): Table {
  return {
    title,
    columns: ['statement', 'calls', 'rows a call', 'µs of execution', 'WAL bytes'],
    rows: statements
      .slice(0, MAX_SHOWN)
      .map((one) => [
        one.text.slice(0, 90),
        one.calls / events,
        one.rows / one.calls,
        (one.milliseconds * 1_000) / events,
        one.walBytes / events,
      ]),
  };
}

type Row = { query: string; calls: string; rows: string; ms: number; wal: string };

const READ = `select query, calls, rows, total_exec_time as ms, wal_bytes as wal from pg_stat_statements
  where dbid = (select oid from pg_database where datname = current_database()) order by total_exec_time desc`;

type Connection = Parameters<Parameters<typeof withConnection>[1]>[0];

/**
 * Runs `work` on a connection whose statements are not counted. Undefined on an external server without these counts.
 */
async function whereItCan<T>(
  databaseUrl: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T | undefined> {
  return withConnection(databaseUrl, async (connection) => {
    try {
      await connection.query("set pg_stat_statements.track = 'none'");
      return await work(connection);
    } catch {
      return undefined;
    }
  });
}
