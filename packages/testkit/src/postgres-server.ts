import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onServer } from './database.ts';
import { freePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';
import { SERVER_ZONE } from './zoneless-pooler.ts';

/** The programs of PostgreSQL on this machine, and the user to run them as if this process runs as root. */
export type PostgresPrograms = { folder: string; user: { uid: number; gid: number } | undefined };

/** A PostgreSQL server for one test, besides that of the test run. A test can kill, copy and restore it. */
export type PostgresServer = {
  programs: PostgresPrograms;
  /** The URL of its database `posthorn`, as a superuser. */
  url: string;
  /** The URL of its database `postgres`. */
  adminUrl: string;
  /** The data folder. */
  data: string;
  /** Starts the server, and resolves when it answers. Throws an error with its log when it ends before that. */
  start: (settings?: Record<string, string>) => Promise<void>;
  /** Kills the server with SIGKILL, as in a crash. Resolves when the process has ended. */
  kill: () => Promise<void>;
  /** Shuts the server down normally. */
  stop: () => Promise<void>;
  log: () => string;
  /** Kills the server and removes its folder. */
  remove: () => Promise<void>;
};

const USER = 'posthorn';
const PASSWORD = 'posthorn';
const LOG_KEPT = 20_000;
const START_MAY_TAKE_MS = 60_000;

/**
 * Finds the programs of the Postgres that the run uses. Returns undefined, and prints a line that says so, when
 * Postgres runs on another machine, or without `initdb` beside it.
 */
export async function findPostgres(): Promise<PostgresPrograms | undefined> {
  const [row] = await onServer(
    process.env.TEST_DATABASE_URL ?? '',
    `select (select setting from pg_config where name = 'BINDIR') as bin, current_setting('data_directory') as data`,
  );
  const [folder, data] = [String(row?.bin), String(row?.data)];
  if (!existsSync(join(folder, 'initdb')) || !existsSync(data)) {
    process.stderr.write('skipped  tests that start a Postgres: the programs of TEST_DATABASE_URL are not here\n');
    return undefined;
  }
  const { uid, gid } = statSync(data);
  return { folder, user: process.getuid?.() === 0 ? { uid, gid } : undefined };
}

/** Starts a new server with an empty database `posthorn`. */
export async function startPostgres(
  programs: PostgresPrograms,
  settings: Record<string, string> = {},
): Promise<PostgresServer> {
  const server = await createServer(programs, settings);
  try {
    const passwordFile = join(server.data, '../password');
    writeFileSync(passwordFile, PASSWORD, { mode: 0o600 });
    giveTo(programs, passwordFile);
    await run(programs, 'initdb', [
      ...[`--pgdata=${server.data}`, `--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--no-locale', '--no-sync'],
    ]);
    await server.start();
    await onServer(server.adminUrl, 'create database posthorn');
    return server;
  } catch (error) {
    await server.remove();
    throw error;
  }
}

/** Makes a server whose data folder is still empty. */
export async function createServer(
  programs: PostgresPrograms,
  settings: Record<string, string> = {},
): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), 'posthorn-postgres-'));
  const data = join(home, 'data');
  mkdirSync(data, { mode: 0o700 });
  for (const path of [home, data]) giveTo(programs, path);
  const port = await freePort();
  const adminUrl = `postgresql://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`;
  let log = '';
  let child: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    const ended = child && whenEnded(child);
    child?.kill(signal);
    await ended;
    child = undefined;
  };
  return {
    programs,
    url: Object.assign(new URL(adminUrl), { pathname: '/posthorn' }).href,
    adminUrl,
    data,
    log: () => log,
    async start(more = {}) {
      const all = {
        ...{ listen_addresses: '127.0.0.1', port: `${port}`, unix_socket_directories: '', max_connections: '100' },
        timezone: SERVER_ZONE,
        ...settings,
        ...more,
      };
      const given = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const started = spawn(join(programs.folder, 'postgres'), ['-D', data, ...given], options(programs, home));
      child = started;
      for (const stream of [started.stdout, started.stderr]) {
        stream?.on('data', (chunk) => {
          log = (log + String(chunk)).slice(-LOG_KEPT);
        });
      }
      let over = false;
      void whenEnded(started).then(() => {
        over = true;
      });
      const answers = async () => over || (await onServer(adminUrl, 'select 1')).length === 1;
      await waitFor(answers, { what: 'Postgres to answer', timeoutMs: START_MAY_TAKE_MS });
      if (over) throw new Error(`Postgres ended; it wrote:\n${log}`);
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
    async remove() {
      await end('SIGKILL');
      // Child processes of the killed server may still write for a moment.
      rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

/** Changes the owner of the path to the user that runs Postgres. */
export function giveTo({ user }: PostgresPrograms, path: string): void {
  if (user !== undefined) chownSync(path, user.uid, user.gid);
}

async function run(programs: PostgresPrograms, program: string, args: string[]): Promise<void> {
  const child = spawn(join(programs.folder, program), args, options(programs, tmpdir()));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const code = await whenEnded(child);
  if (code !== 0) throw new Error(`${program} failed:\n${output}`);
}

function options({ user }: PostgresPrograms, cwd: string) {
  return {
    cwd,
    env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
    ...user,
  };
}

function whenEnded(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code));
  });
}
