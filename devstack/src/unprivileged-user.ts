import { runCommand } from './command.ts';
import { Failure } from './failure.ts';
import type { Run } from './run.ts';

export type User = { uid: number; gid: number };

const TIMEOUT_MS = 10_000;

/**
 * The user that runs Postgres, which refuses root; undefined unless this process runs as root. An existing `postgres`
 * user is used, else one is made, else `nobody` is used.
 */
export async function findUnprivilegedUser(run: Run): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = (await lookUp(run, 'postgres')) ?? (await lookUp(run, '_postgres'));
  if (existing !== undefined) return existing;
  const make = ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'];
  await runCommand('useradd', ['--user-group', ...make], { signal: run.signal, timeoutMs: TIMEOUT_MS });
  const found = (await lookUp(run, 'postgres')) ?? (await lookUp(run, 'nobody'));
  if (found !== undefined) return found;
  throw new Failure(
    'PostgreSQL refuses to run as root, and no other user could be found or made.',
    'Run as an ordinary user, or name a database: DATABASE_URL=postgresql://… npm start',
  );
}

async function lookUp(run: Run, name: string): Promise<User | undefined> {
  const ask = (option: string) => runCommand('id', [option, name], { signal: run.signal, timeoutMs: TIMEOUT_MS });
  const [uid, gid] = [await ask('-u'), await ask('-g')];
  return uid.ok && gid.ok ? { uid: Number(uid.output), gid: Number(gid.output) } : undefined;
}
