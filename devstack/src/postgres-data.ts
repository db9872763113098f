import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.ts';
import { Failure } from './failure.ts';
import { makeOwnFolder, type PostgresPlace } from './postgres-place.ts';
import { writePrivateFile } from './private-file.ts';
import type { Run } from './run.ts';

export const SUPERUSER = 'posthorn';
const INITDB_MAY_TAKE_MS = 120_000;
/** The names of unfinished data folders and of their password files begin with this. */
const UNFINISHED = 'data.new';

/**
 * Returns the data folder of the embedded PostgreSQL, and makes it if it is missing. initdb runs in a folder beside it,
 * which is renamed at the end, so that a data folder with a PG_VERSION is complete. The folder beside it has a new name
 * at each start: the initdb of a killed launcher may still write to the earlier one.
 */
export async function keepDataFolder(run: Run, place: PostgresPlace, password: string): Promise<string> {
  const data = join(place.folder, 'data');
  removeUnfinished(place.folder);
  if (existsSync(join(data, 'PG_VERSION'))) return data;
  const unfinished = join(place.folder, `${UNFINISHED}.${randomUUID()}`);
  const passwordFile = `${unfinished}.password`;
  makeOwnFolder(unfinished, place.user);
  writePrivateFile(passwordFile, password);
  if (place.user) chownSync(passwordFile, place.user.uid, place.user.gid);
  const result = await runCommand(
    join(place.binaries, 'bin/initdb'),
    [
      `--pgdata=${unfinished}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      ...LOCALE,
    ],
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
  rmSync(data, { recursive: true, force: true });
  renameSync(unfinished, data);
  return data;
}

/** Removes the remains of killed starts. Those that are still written to remain until the next start. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith(UNFINISHED))) {
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // A file was added meanwhile.
    }
  }
}

// Postgres' built-in C.UTF-8: the same text order on every machine, without the system's locales.
const LOCALE = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-sync'];

/** The environment of Postgres' programs. The caller's PG* variables are meant for its own database. */
export function bareEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' };
}
