import { join } from 'node:path';
import { openSession } from '@posthorn/db/session';
import { describeError } from '@posthorn/runtime/describe-error';
import { freePort } from '@posthorn/testkit/free-port';
import { SERVER_ZONE } from '@posthorn/testkit/zoneless-pooler';
import type { Program } from './child.ts';
import { Failure } from './failure.ts';
import { bareEnvironment, keepDataFolder, SUPERUSER } from './postgres-data.ts';
import { LOG_LINE_PREFIX } from './postgres-errors.ts';
import { findPostgresPlace } from './postgres-place.ts';
import type { Run } from './run.ts';
import { placeOf } from './store-place.ts';
import { waitUntil } from './wait-until.ts';

export type PostgresOptions = {
  home: string;
  homeId: string;
  password: string;
  /** For tests: fast, but data is lost if the machine fails. */
  throwaway: boolean;
  port?: number;
};

const START_MAY_TAKE_MS = 60_000;
/** Errors that another try does not change: a wrong password, a role that may not log in, a missing database. */
const PERMANENT = ['28P01', '28000', '3D000'];

/**
 * The embedded PostgreSQL as a program for the supervisor, and the URL of its `postgres` database. Makes the data
 * folder if it is missing. The server listens only on 127.0.0.1.
 */
export async function preparePostgres(run: Run, options: PostgresOptions): Promise<{ program: Program; url: string }> {
  const place = await findPostgresPlace(run, options.home, options.homeId);
  const data = await keepDataFolder(run, place, options.password);
  const port = options.port ?? (await freePort());
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 300,
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    // The detail of an error has values of a row. An erasure must not leave them in the log.
    log_error_verbosity: 'terse',
    timezone: options.throwaway ? SERVER_ZONE : 'UTC',
    ...(options.throwaway ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
    ...(options.throwaway ? { log_line_prefix: LOG_LINE_PREFIX } : {}),
  };
  const program: Program = {
    name: 'postgres',
    command: join(place.binaries, 'bin/postgres'),
    args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env: bareEnvironment(),
    // The working directory of a server that runs as another user must be accessible to that user.
    cwd: place.folder,
    ...(place.user && { user: place.user }),
    // In Postgres' terms, SIGINT is the fast shutdown (clients are disconnected) and SIGQUIT the immediate one.
    stopSignal: 'SIGINT',
    hurrySignal: 'SIGQUIT',
  };
  return { program, url: `postgresql://${SUPERUSER}:${options.password}@127.0.0.1:${port}/postgres` };
}

/** Waits until the server answers a query; a Failure, with the reason, when it does not. */
export async function awaitPostgres(run: Run, url: string, timeoutMs = START_MAY_TAKE_MS): Promise<void> {
  let problem = '';
  const check = async (): Promise<'answers' | 'refuses' | undefined> => {
    const client = openSession({ connectionString: url, connectionTimeoutMillis: 3_000 });
    client.on('error', () => {}); // A connection may break while it is closed; the next try reports any fault.
    try {
      await client.connect();
      await client.query('select 1');
      return 'answers';
    } catch (error) {
      problem = describeError(error);
      const { code } = error as { code?: unknown };
      return PERMANENT.includes(String(code)) ? 'refuses' : undefined;
    } finally {
      await client.end().catch(() => {});
    }
  };
  const outcome = await waitUntil(check, { clock: run.clock, signal: run.signal, timeoutMs });
  if (outcome === 'answers') return;
  const verb = outcome === 'refuses' ? 'refuses the connection' : `has not answered for ${timeoutMs / 1000} s`;
  throw new Failure(
    `PostgreSQL at ${placeOf(url)} ${verb}: ${problem}`,
    'Check DATABASE_URL, or the log of postgres in the home.',
  );
}

/** Makes a database if there is none with that name, and returns its URL. */
export async function makeDatabase(adminUrl: string, name: string): Promise<string> {
  const client = openSession({ connectionString: adminUrl });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}
