import { createDb, type Db, type DbOptions } from '@posthorn/db/client';

/** This process' connections to Postgres, in separate pools: no pool can use another's connections. */
export type Pools = {
  /** For ingestion: management and lists never make an event wait. */
  ingestion: Db;
  /**
   * For the statement that accepts events with their deliveries. It hardly waits for a lock, because events can be
   * accepted without deliveries.
   */
  door: Db;
  /** For every other operation. */
  management: Db;
  /** For consumers that fetch: however many do, they delay nothing else. */
  consumers: Db;
  /**
   * For refreshes of agents: many come at once, as after an outage, and delay nothing else. Undefined where agents cannot
   * subscribe.
   */
  agents: Db | undefined;
  /** For large reads (docs/interface.md, Delivery list item). Their statements end after 5 s and delay no other read. */
  lists: Db;
  /** For large reads that a replica may answer; undefined without a replica. */
  replica: Db | undefined;
  close: () => Promise<void>;
};

/** The most connections of each pool. */
export type Connections = Record<Exclude<keyof Pools, 'close'>, number>;

const CONNECTIONS: Connections = {
  ingestion: 3,
  door: 2,
  management: 6,
  consumers: 4,
  agents: 2,
  lists: 4,
  replica: 4,
};
const DOOR_LOCK_MS = 250;
const LIST_TIMEOUT_MS = 5_000;
/** A silent replica delays a list by this time at most: then the primary answers. */
const REPLICA_ANSWERS_WITHIN_MS = 8_000;

type PoolOptions = Pick<DbOptions, 'databaseUrl' | 'unnamedStatements' | 'onIdleError'> & {
  /** A replica of the database. */
  readUrl?: string | undefined;
  /** Whether agents can subscribe. */
  agents: boolean;
  /** Sizes of pools that differ from those of an API in a process of its own. */
  connections?: Partial<Connections> | undefined;
  /** Receives each pool, for its metrics. */
  onPools?: (pools: Record<string, Parameters<NonNullable<DbOptions['onPool']>>[0]>) => void;
};

/** Opens the pools. No connection is made before the first statement. */
export function openPools({ readUrl, agents, connections, onPools, ...shared }: PoolOptions): Pools {
  const most = { ...CONNECTIONS, ...connections };
  const watched: Parameters<NonNullable<PoolOptions['onPools']>>[0] = {};
  const open = (name: keyof Connections, options: Partial<DbOptions> = {}) =>
    createDb({
      ...shared,
      maxConnections: most[name],
      onPool: (pool) => {
        watched[name] = pool;
      },
      ...options,
    });
  const openReplica = (databaseUrl: string) =>
    open('replica', {
      databaseUrl,
      statementTimeoutMs: LIST_TIMEOUT_MS,
      answersWithinMs: REPLICA_ANSWERS_WITHIN_MS,
    });
  const pools = {
    // It runs one statement, which takes longer to plan than to run.
    door: open('door', { lockTimeoutMs: DOOR_LOCK_MS, keepPlans: true }),
    ingestion: open('ingestion', { keepPlans: true }),
    management: open('management'),
    consumers: open('consumers'),
    // They run a few statements over all partitions, which take many times longer to plan than to run.
    agents: agents ? open('agents', { keepPlans: true }) : undefined,
    lists: open('lists', { statementTimeoutMs: LIST_TIMEOUT_MS }),
    replica: readUrl === undefined ? undefined : openReplica(readUrl),
  };
  onPools?.(watched);
  return {
    ...pools,
    async close() {
      await Promise.all(Object.values(pools).map((pool) => pool?.$disconnect()));
    },
  };
}
