import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSession } from '@posthorn/db/session';
import { createServer, giveTo, type PostgresPrograms, type PostgresServer } from './postgres-server.ts';

/** Files that a base backup leaves out (PostgreSQL manual, "Making a Base Backup Using the Low Level API"). */
const LEFT_OUT = [/^postmaster\.(pid|opts)$/, /^pg_internal\.init$/, /^pgsql_tmp/];
const EMPTIED = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)$/;

/**
 * Makes a base backup of a running server, as the data folder of a new server, which is not started. It works without
 * `pg_basebackup`: `pg_backup_start`, a copy of the files, `pg_backup_stop`.
 */
export async function copyServer(from: PostgresServer, settings: Record<string, string> = {}): Promise<PostgresServer> {
  const copy = await createServer(from.programs, settings);
  const connection = openSession({ connectionString: from.adminUrl });
  try {
    // Both functions must be called on one connection.
    await connection.connect();
    await connection.query(`select pg_backup_start('test', fast => true)`);
    await copyFolder(from.programs, from.data, copy.data);
    const { rows } = await connection.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    const label = join(copy.data, 'backup_label');
    await writeFile(label, rows[0]?.labelfile ?? '');
    giveTo(from.programs, label);
    return copy;
  } catch (error) {
    await copy.remove();
    throw error;
  } finally {
    await connection.end();
  }
}

/** Marks the data folder, so that the server starts as a standby, or recovers from an archive. */
export async function signalRecovery({ programs, data }: PostgresServer, kind: 'standby' | 'recovery'): Promise<void> {
  const file = join(data, `${kind}.signal`);
  await writeFile(file, '');
  giveTo(programs, file);
}

async function copyFolder(programs: PostgresPrograms, from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (LEFT_OUT.some((pattern) => pattern.test(entry.name))) continue;
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      await mkdir(target, { mode: 0o700 });
      giveTo(programs, target);
      if (!EMPTIED.test(entry.name)) await copyFolder(programs, join(from, entry.name), target);
    } else {
      const copied = await copyFile(join(from, entry.name), target).then(() => true, isGone);
      if (copied) giveTo(programs, target);
    }
  }
}

/**
 * Returns false for a missing file, and throws any other error. A file may vanish between its listing and its copy;
 * recovery does not need such a file.
 */
function isGone(error: NodeJS.ErrnoException): false {
  if (error.code !== 'ENOENT') throw error;
  return false;
}
