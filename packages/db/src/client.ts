import { Socket } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from './generated/client.ts';
import { openPool } from './session.ts';

/** The database client that all code receives: models, raw statements and transactions. */
export type Db = PrismaClient;
/** The database inside a transaction. */
export type DbTransaction = Omit<Db, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>;

export type DbOptions = {
  databaseUrl: string;
  /** The largest number of connections of this process. */
  maxConnections: number;
  /** The time after which Postgres ends a statement; 30 s by default. */
  statementTimeoutMs?: number;
  /** The time that a statement waits for a lock; 10 s by default. */
  lockTimeoutMs?: number;
  /**
   * Uses generic plans: each statement is planned once for a connection, whatever its values. For a process that always
   * runs the same few statements. They must name ranges (`within`) so that partitions are pruned. Statements with lists
   * need a plan for their values.
   */
  keepPlans?: boolean;
  /**
   * Prepares no named statements, for a transaction pooler that does not support them. Each statement is planned anew.
   */
  unnamedStatements?: boolean;
  /**
   * A connection on which a statement waits and nothing arrives for this long is closed: its statements fail as
   * unavailable, and the pool replaces it. Must be longer than Postgres lets a statement run.
   */
  answersWithinMs?: number;
  /** Called when an idle connection breaks; the pool replaces it. */
  onIdleError: (error: Error) => void;
  /** Called when Postgres has answered a statement, or a transaction has ended. */
  onAnswer?: () => void;
  /** Receives the pool, for its metrics. */
  onPool?: (pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>) => void;
};

/**
 * Opens a client on a bounded pool. No connection is made before the first statement, so a process can start while
 * Postgres is away. Every wait is bounded: Postgres ends a statement after its timeout, a wait for a connection ends
 * after 5 s, and a silent connection (half-open: the other side is gone and sent nothing) is closed after 35 s.
 */
export function createDb(options: DbOptions): Db {
  const { answersWithinMs = ANSWERS_WITHIN_MS } = options;
  const pool = openPool({
    connectionString: options.databaseUrl,
    max: options.maxConnections,
    connectionTimeoutMillis: 5_000,
    // Closes an idle connection before its silence would count as a fault.
    idleTimeoutMillis: Math.floor(0.8 * answersWithinMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    stream: () => socketThatAnswers(answersWithinMs),
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: 30_000,
    lock_timeout: options.lockTimeoutMs ?? 10_000,
    options: options.keepPlans ? `${BY_INDEX} ${NO_JIT} ${KEPT_PLANS}` : `${BY_INDEX} ${NO_JIT}`,
  });
  options.onPool?.(pool);
  const { onAnswer } = options;
  if (onAnswer !== undefined) pool.on('release', (error) => (error instanceof Error ? undefined : onAnswer()));
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    onPoolError: options.onIdleError,
    statementNameGenerator: options.unnamedStatements ? () => '' : nameStatements(),
  });
  const db = new PrismaClient({ adapter, errorFormat: 'minimal' });
  hanging.set(db, watchBusy(pool, answersWithinMs / 3));
  return db;
}

const ANSWERS_WITHIN_MS = 35_000;
/** The kernel probes an idle connection after this time, and closes it 10 s later when nothing answers. */
export const KEEP_ALIVE_DELAY_MS = 10_000;

const hanging = new WeakMap<Db, () => boolean>();

/**
 * Whether a connection of this client has been in use for a third of the time in which it must answer (12 s, longer
 * than a statement may wait for a lock). Other connections may work, but callers of this one wait.
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
 * A socket that breaks if nothing arrives for this long, as if the kernel had closed it. pg's own `query_timeout` would
 * keep the connection, and inside a transaction the adapter would return the silent connection to the pool. A broken
 * socket ends every statement on it, and the pool drops it.
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
 * A generic plan may be made while the day's partition is empty: it is then a sequential scan, which raised the settle
 * from 40 to 300 µs a row at 17,000 rows. Every statement of the services has an index. This concerns the API too:
 * Postgres may keep a generic plan of any named statement after five executions, and before the first statistics of a
 * new installation it would read whole tables.
 */
const BY_INDEX = '-c enable_seqscan=off';
/**
 * Before Postgres 18 a disabled scan in a plan, as of an empty partition, costs 10^10. From a cost of 100,000 on,
 * Postgres would compile the plan, which takes longer than any statement of the services.
 */
const NO_JIT = '-c jit=off';
/** By default Postgres plans the claim and the settle again each time, at 1.2 ms a statement. */
const KEPT_PLANS = '-c plan_cache_mode=force_generic_plan';

/**
 * Names statements, so that Postgres parses and plans each text once per connection. Only the first 300 texts get a
 * name (an empty name means none): texts generated for lists of varying length must not fill the server's memory.
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
