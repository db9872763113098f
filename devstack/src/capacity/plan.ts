import type { Costs } from './costs.ts';
import type { Load } from './options.ts';

/** The needs of an installation for a load (docs/scaling.md): rates in units a second, sizes in bytes. */
export type Plan = {
  deliveries: number;
  attempts: number;
  api: { processes: number; busyCores: number; memory: number };
  dispatcher: { processes: number; busyCores: number; memory: number; isLimitedBy: 'CPU' | 'slow receivers' };
  /** A master is one Redis process; `queueShards` is DELIVER_QUEUE_SHARDS of each cell. */
  redis: { masters: number; queueShards: number; busyThreads: number };
  /** All cells together. */
  postgres: { busyCores: number; cores: number; wal: number; diskPerDay: number; disk: number };
  connections: number;
  /** Installations with their own Postgres and Redis; each has the part of the events that is named. */
  cells: { count: number; eventsEach: number };
};

/** The pools of an API process (services/api/src/pools.ts), without a replica. */
const CONNECTIONS_OF_AN_API = 19;
/** The pool of a dispatcher; its watchdogs and maintenance open a few short ones beside it. */
const CONNECTIONS_OF_A_DISPATCHER = 10;
/** With one process of a kind its restart would be an outage. */
const LEAST_PROCESSES = 2;
/** So that the masters of a Redis Cluster get similar parts (docs/scaling.md, Sharding the queue). */
const QUEUE_SHARDS_OF_A_MASTER = 3;
const MAX_QUEUE_SHARDS = 64;
const DAY_SECONDS = 86_400;
const MEGABYTE = 1e6;

/** Computes the plan by the formulas of docs/scaling.md. */
export function planCapacity(load: Load, costs: Costs): Plan {
  const { events, attempts: attemptsEach, payload, use } = load;
  const deliveries = events * load['fan-out'];
  const attempts = deliveries * attemptsEach;
  const extraAttempts = attempts - deliveries;

  const apiCores = events * costs.api.perEvent;
  const dispatcherCores = attempts * costs.dispatcher.perAttempt;
  const byCpu = dispatcherCores / use;
  const bySlots = (attempts * load['attempt-seconds']) / load.concurrency;
  const redisThreads = attempts * load['queued-share'] * costs.redis.perAttempt;
  const { postgres, wal, disk } = costs;
  const postgresCores =
    events * postgres.perEvent + deliveries * postgres.perDelivery + extraAttempts * postgres.perExtraAttempt;
  const walRate =
    events * (wal.perEvent + payload) + deliveries * wal.perDelivery + extraAttempts * wal.perExtraAttempt;
  const diskPerDay =
    DAY_SECONDS *
    load['average-share'] *
    (events * (disk.perEvent + payload) + deliveries * disk.perDelivery + attempts * disk.perAttempt);

  const api = processes(apiCores / use);
  const dispatcher = processes(Math.max(byCpu, bySlots));
  const cells = wholeUp(walRate / (load['wal-per-postgres'] * MEGABYTE));
  const masters = wholeUp(redisThreads / use);
  return {
    deliveries,
    attempts,
    api: { processes: api, busyCores: apiCores, memory: api * costs.memory.api },
    dispatcher: {
      processes: dispatcher,
      busyCores: dispatcherCores,
      memory: dispatcher * costs.memory.dispatcher,
      isLimitedBy: bySlots > byCpu ? 'slow receivers' : 'CPU',
    },
    redis: { masters, queueShards: queueShardsOf(masters / cells), busyThreads: redisThreads },
    postgres: {
      busyCores: postgresCores,
      cores: wholeUp(postgresCores / use),
      wal: walRate,
      diskPerDay,
      disk: diskPerDay * load['retention-days'],
    },
    connections: api * CONNECTIONS_OF_AN_API + dispatcher * CONNECTIONS_OF_A_DISPATCHER,
    cells: { count: cells, eventsEach: events / cells },
  };
}

function queueShardsOf(masters: number): number {
  return masters <= 1 ? 1 : Math.min(MAX_QUEUE_SHARDS, QUEUE_SHARDS_OF_A_MASTER * wholeUp(masters));
}

function processes(needed: number): number {
  return Math.max(LEAST_PROCESSES, wholeUp(needed));
}

/** At least one. A rounding error of the arithmetic adds none. */
function wholeUp(value: number): number {
  return Math.max(1, Math.ceil(value - 1e-9));
}
