import type { Db } from '@posthorn/db/client';
import { migrateTest, onServer, openDatabase } from './database.ts';
import { copyServer, signalRecovery } from './postgres-backup.ts';
import { type PostgresPrograms, type PostgresServer, startPostgres } from './postgres-server.ts';
import { startTcpGate, type TcpGate } from './tcp-gate.ts';
import { waitFor } from './wait-for.ts';

/** A primary and a streaming standby with Posthorn's tables. Clients reach both by one address. */
export type PostgresPair = {
  /** The database at that address. */
  databaseUrl: string;
  db: Db;
  primary: PostgresServer;
  standby: PostgresServer;
  /** The connection between the standby and the primary. */
  link: TcpGate;
  /** Kills the primary, promotes the standby, and redirects the address to it. */
  failOver: () => Promise<void>;
  drop: () => Promise<void>;
};

/**
 * Starts both servers. With a synchronous standby, a commit returns once the standby has written it to disk. With an
 * asynchronous standby, the standby may never get it.
 */
export async function startPostgresPair(
  programs: PostgresPrograms,
  kind: 'synchronous' | 'asynchronous' = 'synchronous',
): Promise<PostgresPair> {
  const primary = await startPostgres(programs, { wal_keep_size: '256MB' });
  await migrateTest(primary.url);
  const link = await startTcpGate(primary.url);
  const standby = await startStandby(primary, link.url);
  if (kind === 'synchronous') {
    await onServer(primary.adminUrl, `alter system set synchronous_standby_names = 'standby'`);
    await onServer(primary.adminUrl, 'select pg_reload_conf()');
  }
  const state = kind === 'synchronous' ? 'sync' : 'async';
  const isLinked = async () =>
    (await onServer(primary.adminUrl, `select 1 from pg_stat_replication where sync_state = '${state}'`)).length === 1;
  await waitFor(isLinked, { what: `the ${kind} standby` });
  const address = await startTcpGate(primary.url);
  const database = openDatabase(address.url);
  return {
    ...database,
    primary,
    standby,
    link,
    async failOver() {
      await primary.kill();
      await address.shut();
      await onServer(standby.adminUrl, 'select pg_promote()');
      address.moveTo(standby.url);
      await address.open();
    },
    async drop() {
      await database.drop();
      await Promise.all([address.close(), link.close()]);
      await Promise.all([primary.remove(), standby.remove()]);
    },
  };
}

async function startStandby(primary: PostgresServer, primaryUrl: string): Promise<PostgresServer> {
  const { username, password, port } = new URL(primaryUrl);
  const standby = await copyServer(primary, {
    primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`,
  });
  await signalRecovery(standby, 'standby');
  await standby.start();
  return standby;
}
