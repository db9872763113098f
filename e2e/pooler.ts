import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { onServer } from '@posthorn/testkit/database';
import { freePort } from '@posthorn/testkit/free-port';
import type { PostgresPrograms } from '@posthorn/testkit/postgres-server';
import { waitFor } from '@posthorn/testkit/wait-for';

/** A pgbouncer that can run here, and the environment that it needs. */
export type PoolerProgram = {
  command: string;
  env: Record<string, string | undefined>;
  /** Whether it keeps prepared statements in transaction mode, as it does from 1.21 on. */
  knowsPrepared: boolean;
};

/** A running pgbouncer in transaction mode. */
export type Pooler = {
  /** The URL of the database through the pooler. */
  url: string;
  log: () => string;
  stop: () => Promise<void>;
};

const TOOLS = process.env.POSTHORN_TOOLS || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'posthorn');
/** The folder into which install-pgbouncer.sh unpacks pgbouncer. */
const UNPACKED = join(TOOLS, 'pgbouncer');
/** Fewer connections than those of the services, which must share them. */
export const SERVER_CONNECTIONS = 6;

/** The pgbouncer on the PATH, or the one that install-pgbouncer.sh has unpacked. If there is none, prints a line. */
export function findPooler(): PoolerProgram | undefined {
  const libraries = join(UNPACKED, 'usr/lib');
  const folders = existsSync(libraries) ? readdirSync(libraries).map((name) => join(libraries, name)) : [];
  const candidates = [
    { command: 'pgbouncer', env: { PATH: `${process.env.PATH}:/usr/sbin` } },
    {
      command: join(UNPACKED, 'usr/sbin/pgbouncer'),
      env: { PATH: process.env.PATH, LD_LIBRARY_PATH: folders.join(':') },
    },
  ];
  for (const { command, env } of candidates) {
    const { stdout } = spawnSync(command, ['--version'], { env, encoding: 'utf8' });
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
    if (minor !== undefined) return { command, env, knowsPrepared: Number(major) > 1 || Number(minor) >= 21 };
  }
  process.stderr.write('skipped  test of pgbouncer: sh e2e/install-pgbouncer.sh fetches it\n');
  return undefined;
}

/**
 * Starts pgbouncer in front of the database. It refuses root, so if root runs the tests, it runs as the
 * user of Postgres.
 */
export async function startPooler(
  { command, env, knowsPrepared }: PoolerProgram,
  { databaseUrl, user }: { databaseUrl: string; user: PostgresPrograms['user'] },
): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-pgbouncer-'));
  const own = await freePort();
  const name = user && execFileSync('id', ['-nu', String(user.uid)], { encoding: 'utf8' }).trim();
  const settings = [
    '[databases]',
    `${pathname.slice(1)} = host=${hostname} port=${port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${join(folder, 'users')}`,
    'pool_mode = transaction',
    `default_pool_size = ${SERVER_CONNECTIONS}`,
    'ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options',
    ...(knowsPrepared ? ['max_prepared_statements = 300'] : []),
    ...(name === undefined ? [] : [`user = ${name}`]),
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), settings.join('\n'));
  writeFileSync(join(folder, 'users'), `"${username}" "${password}"\n`);
  for (const path of user ? [folder, join(folder, 'pgbouncer.ini'), join(folder, 'users')] : []) {
    chownSync(path, user?.uid ?? 0, user?.gid ?? 0);
  }
  const child = spawn(command, [join(folder, 'pgbouncer.ini')], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += String(chunk)));
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  });
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(own) }).href;
  await waitFor(() => onServer(url, 'select 1'), { what: 'pgbouncer to answer' }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw new Error(`pgbouncer does not answer; it wrote:\n${log}`, { cause: error });
  });
  return {
    url,
    log: () => log,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
