import type pg from 'pg';
import { KEEP_ALIVE_DELAY_MS } from './client.ts';
import { openSession } from './session.ts';

/** The role that the URL names; empty when it names none. */
export function roleOf(databaseUrl: string): string {
  // A URL with a socket may lack a host: postgres://user@/db?host=/run/postgresql.
  const { username, searchParams } = new URL(databaseUrl.replace(/^postgres(ql)?:\/\/[^@/?#]*@(?=\/)/, '$&localhost'));
  return searchParams.get('user') ?? decodeURIComponent(username);
}

/** Runs `work` on its own connection outside the pool. A statement may take minutes unless `timeoutMs` limits it. */
export async function withConnection<T>(
  databaseUrl: string,
  work: (connection: pg.Client) => Promise<T>,
  timeoutMs?: number,
): Promise<T> {
  const limits = timeoutMs === undefined ? {} : { statement_timeout: timeoutMs, query_timeout: timeoutMs };
  const client = openSession({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    ...limits,
  });
  // A connection that breaks rejects the query and also emits an error. Without a listener that error would end the
  // process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
