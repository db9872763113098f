import { chownSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '@posthorn/runtime/describe-error';
import { freePort } from '@posthorn/testkit/free-port';
import pg from 'pg';
import type { Program } from './child.ts';
import { runCommand } from './command.ts';
import { Failure } from './failure.ts';
import { findPostgresPlace, makeOwnFolder, type PostgresPlace } from './postgres-place.ts';
import { writePrivateFile } from './private-file.ts';
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

const USER = 'posthorn';
const INITDB_MAY_TAKE_MS = 120_000;
const START_MAY_TAKE_MS = 60_000;
/** A wrong password, a role that may not log in, a missing database: another try changes nothing. */
const PERMANENT = ['28P01', '28000', '3D000'];

/**
 * The embedded PostgreSQL as a program for the supervisor, and the URL of its `postgres` database. Makes the data
 * folder if it is missing. The server listens only on 127.0.0.1.
 */
export async function preparePostgres(run: Run, options: PostgresOptions): Promise<{ program: Program; url: string }> {
  const place = await findPostgresPlace(run, options.home, options.homeId);
  const data = join(place.folder, 'data');
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(run, place, data, options.password);
  const port = options.port ?? (await freePort());
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 300,
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    ...(options.throwaway ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
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
  return { program, url: `postgresql://${USER}:${options.password}@127.0.0.1:${port}/postgres` };
}

/** Waits until the server answers a query; a Failure, with the reason, when it does not. */
export async function awaitPostgres(run: Run, url: string, timeoutMs = START_MAY_TAKE_MS): Promise<void> {
  let problem = '';
  const check = async (): Promise<'answers' | 'refuses' | undefined> => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
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
  const client = new pg.Client({ connectionString: adminUrl });
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

/** Runs initdb beside the final folder and renames it, so that a data folder with a PG_VERSION is always complete. */
async function initialise(run: Run, place: PostgresPlace, data: string, password: string): Promise<void> {
  const unfinished = `${data}.new`;
  const passwordFile = join(place.folder, 'initial-password');
  for (const remains of [unfinished, data, passwordFile]) rmSync(remains, { recursive: true, force: true });
  makeOwnFolder(unfinished, place.user);
  writePrivateFile(passwordFile, password);
  if (place.user) chownSync(passwordFile, place.user.uid, place.user.gid);
  const result = await runCommand(
    join(place.binaries, 'bin/initdb'),
    [`--pgdata=${unfinished}`, `--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', ...LOCALE],
    {
      signal: run.signal,
      timeoutMs: INITDB_MAY_TAKE_MS,
      env: bareEnvironment(),
      cwd: place.folder,
      ...(place.user && { user: place.user }),
    },
  ).finally(() => rmSync(passwordFile, { force: true }));
  if (!result.ok) {
    throw new Failure(
      `The embedded PostgreSQL could not make its data folder. Its output:\n${result.output}`,
      'Name another database: DATABASE_URL=postgresql://user:password@host:5432/posthorn npm start',
    );
  }
  renameSync(unfinished, data);
}

// Postgres' built-in C.UTF-8: the same text order on every machine, without the system's locales.
const LOCALE = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-sync'];

// The caller's PG* variables are meant for its own database.
function bareEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' };
}
