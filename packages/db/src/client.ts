import { Socket } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';

/** The database as every room is given it: models, raw statements and transactions. */
export type Db = PrismaClient;
/** The database inside a transaction. */
export type DbTransaction = Omit<Db, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>;

export type DbOptions = {
  databaseUrl: string;
  /** Connections of this process at most. */
  maxConnections: number;
  /** After how long Postgres ends a statement; 30 s when it is not given. */
  statementTimeoutMs?: number;
  /**
   * Plans a statement once for a connection's life, whatever its values: for a process that runs the same few for ever.
   * They must then name ranges where partitions are to be left alone (`within`). Lists want a plan for their values.
   */
  keepPlans?: boolean;
  /**
   * A connection on which a statement waits and nothing arrives for so long is given up: its statements fail as
   * unavailable, and the pool replaces it. Longer than Postgres lets a statement run.
   */
  answersWithinMs?: number;
  /** Told of a connection that broke while idle; the pool replaces it. */
  onIdleError: (error: Error) => void;
  /** Given the pool's figures, to watch it by. */
  onPool?: (pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>) => void;
};

/**
 * Opens a client on a bounded pool. Nothing is connected before the first statement, so a process can start while
 * Postgres is away. Nothing waits for ever: Postgres ends a statement after its timeout, a wait for a connection ends after
 * 5 s, and a connection that has fallen silent (half-open: the other side is gone and sent nothing) after 35 s.
 */
export function createDb(options: DbOptions): Db {
  const { answersWithinMs = ANSWERS_WITHIN_MS } = options;
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.maxConnections,
    connectionTimeoutMillis: 5_000,
    // Before its silence would be taken for a fault.
    idleTimeoutMillis: Math.floor(0.8 * answersWithinMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    stream: () => socketThatAnswers(answersWithinMs),
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: 30_000,
    lock_timeout: 10_000,
    options: options.keepPlans ? `${BY_INDEX} ${KEPT_PLANS}` : BY_INDEX,
  });
  options.onPool?.(pool);
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    onPoolError: options.onIdleError,
    statementNameGenerator: nameStatements(),
  });
  const db = new PrismaClient({ adapter, errorFormat: 'minimal' });
  hanging.set(db, watchBusy(pool, answersWithinMs / 3));
  return db;
}

const ANSWERS_WITHIN_MS = 35_000;
/** The kernel asks an idle connection for a sign of life after this, and gives it up 10 s later. */
export const KEEP_ALIVE_DELAY_MS = 10_000;

const hanging = new WeakMap<Db, () => boolean>();

/**
 * Whether a connection of this client has been in use for a third of the time in which it must answer (12 s: longer
 * than a statement may wait for a lock). Other connections may work meanwhile; what waits for this one does not.
 */
export function isHanging(db: Db): boolean {
  return hanging.get(db)?.() ?? false;
}

function watchBusy(pool: pg.Pool, hangsAfterMs: number): () => boolean {
  const busySince = new Map<pg.PoolClient, number>();
  pool.on('acquire', (client) => busySince.set(client, performance.now()));
  pool.on('release', (_error, client) => busySince.delete(client));
  return () => {
    const now = performance.now();
    return [...busySince.values()].some((since) => now - since > hangsAfterMs);
  };
}

/**
 * A socket that breaks, as if the kernel had given it up, when nothing has passed for so long. pg's own
 * `query_timeout` leaves the connection as it is, and inside a transaction the adapter then gives the silent
 * connection back to the pool; a broken socket ends every statement on it, and the pool drops it.
 */
function socketThatAnswers(answersWithinMs: number): Socket {
  const socket = new Socket();
  socket.setTimeout(answersWithinMs, () => {
    const message = `Postgres has not answered for ${answersWithinMs} ms`;
    socket.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT', errno: -110, syscall: 'read' }));
  });
  return socket;
}

/**
 * A kept plan may be that of the day's young, empty partition: a scan of the whole table, which took the settle from 40
 * to 300 µs a row at 17,000 rows. Every statement of ours has an index.
 */
const BY_INDEX = '-c enable_seqscan=off';
/** Left to choose, Postgres plans the claim and the settle anew each time, at 1.2 ms a statement. */
const KEPT_PLANS = '-c plan_cache_mode=force_generic_plan';

/**
 * Names statements, so that Postgres parses and plans each text once per connection. Only the first 300 texts get a
 * name (an empty one means none): what a list of changing length generates must not fill the server's memory.
 */
function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= 300) return '';
    const name = `posthorn_${names.size}`;
    names.set(sql, name);
    return name;
  };
}
