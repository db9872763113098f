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
  /** Told of a connection that broke while idle; the pool replaces it. */
  onIdleError: (error: Error) => void;
  /** Given the pool's figures, to watch it by. */
  onPool?: (pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>) => void;
};

/**
 * Opens a client on a bounded pool. Nothing is connected before the first statement, so a process can start while
 * Postgres is away. Statements fail after their timeout and a wait for a connection after 5 s: nothing waits for ever.
 */
export function createDb(options: DbOptions): Db {
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.maxConnections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
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
  return new PrismaClient({ adapter, errorFormat: 'minimal' });
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
