import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import { withoutNames } from './large-values.ts';

/** Names that Postgres may report for the UTC time zone. */
const UTC = new Set(['UTC', 'Etc/UTC', 'UCT', 'Etc/UCT', 'GMT', 'Etc/GMT', 'Universal', 'Zulu']);

/** A Postgres session that is not in UTC. */
class TimeZoneError extends Error {
  constructor(zone: string, role: string | undefined) {
    super(
      `the time zone of the session is ${zone}, and must be UTC: a pooler has dropped the startup parameter TimeZone. Run "alter role ${role ?? 'the_role'} set timezone = 'UTC'" in Postgres, and restart the pooler`,
    );
  }
}

/** What pg has, and its types lack: what the startup packet says, the messages of the server, and statements of any form. */
type Inner = {
  getStartupConf: () => Record<string, string>;
  connection: EventEmitter & { stream: Socket };
  connect: (done?: (error: Error | null | undefined, client?: pg.Client) => void) => Promise<unknown>;
  query: (statement: unknown, ...given: unknown[]) => unknown;
};
type ParameterStatus = { parameterName: string; parameterValue: string };

/**
 * A connection whose session is in UTC: every connection of Posthorn is made here. Prisma writes a Date without a zone,
 * and drops the zone of one that it reads. In any other zone, it would shift both. So that no Date passes then, the
 * connection breaks as soon as Postgres reports another zone. The zone of the startup packet wins over those of the
 * server, the database, the role and `options` in the URL. The names of large values become the values again here, too.
 */
export function openSession(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config);
  const inner = client as unknown as Inner;
  const startup = inner.getStartupConf.bind(client);
  inner.getStartupConf = () => ({ ...startup(), TimeZone: 'UTC' });
  let fault: TimeZoneError | undefined;
  inner.connection.on('parameterStatus', ({ parameterName, parameterValue: zone }: ParameterStatus) => {
    if (parameterName.toLowerCase() === 'timezone' && !UTC.has(zone)) {
      fault = new TimeZoneError(zone, client.user);
      inner.connection.stream.destroy(fault);
    }
  });
  // The zone is reported before the connection is ready, often in the same chunk.
  const connect = inner.connect.bind(client);
  inner.connect = (done) => {
    if (done !== undefined) return connect((error) => done(error ?? fault, client));
    return connect().then(() => {
      if (fault !== undefined) throw fault;
    });
  };
  const query = inner.query.bind(client);
  inner.query = (statement, ...given) => query(withoutNames(statement), ...given);
  return client;
}

/** A pool of these connections. pg calls the function with `new`, and gets what it returns. */
export function openPool(config: pg.PoolConfig): pg.Pool {
  return new pg.Pool({ ...config, Client: openSession as unknown as new () => pg.Client });
}

/** The longest time that a process waits for Postgres when it starts. */
const START_WITHIN_MS = 2_000;

/**
 * Stops a start whose sessions would not be in UTC. Resolves if Postgres does not answer in time, because each later
 * connection is checked again.
 */
export async function refuseOtherZones(databaseUrls: readonly (string | undefined)[]): Promise<void> {
  const look = async (connectionString: string) => {
    const session = openSession({ connectionString, connectionTimeoutMillis: START_WITHIN_MS });
    session.on('error', () => undefined); // A fault of the store: the connection's own users report it.
    try {
      await session.connect();
      await session.end();
    } catch (error) {
      if (error instanceof TimeZoneError) throw error;
    }
  };
  await Promise.all(databaseUrls.flatMap((url) => (url === undefined ? [] : [look(url)])));
}
