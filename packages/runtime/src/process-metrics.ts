import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import type { StoreClock } from './clock.ts';
import { answersWithin } from './deadline.ts';
import { errorFields, type Logger } from './logger.ts';

/** Adds the metrics of every Node process: memory, CPU, event loop lag. Call it once for each process. */
export function watchProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
}

/**
 * Returns the text of all metrics of these registries. Metrics of the same name are added up, unless the metric says
 * that its smallest or largest value counts.
 */
export async function readMetrics(registries: readonly Registry[]): Promise<string> {
  const [only, ...others] = registries;
  if (only !== undefined && others.length === 0) return only.metrics();
  const all = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
  return AggregatorRegistry.aggregate(all).metrics();
}

/** The connections of a pool, and the number of statements that wait for one. */
export type Pool = { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };

/** Adds the use of this process' Postgres connections, by pool. It is read when the metrics are read. */
export function watchPools(registry: Registry, pools: Record<string, Pool>): void {
  new Gauge({
    name: 'posthorn_postgres_connections',
    help: 'Connections of this process to Postgres, by pool and state; waiting are the statements without one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [name, pool] of Object.entries(pools)) {
        this.set({ pool: name, state: 'busy' }, pool.totalCount - pool.idleCount);
        this.set({ pool: name, state: 'idle' }, pool.idleCount);
        this.set({ pool: name, state: 'waiting' }, pool.waitingCount);
      }
    },
  });
}

const ANSWER_WITHIN_MS = 2_000;

/** Adds whether this process reaches its stores. The stores are pinged when the metrics are read. */
export function watchStores(registry: Registry, pings: Record<string, () => Promise<unknown>>): void {
  new Gauge({
    name: 'posthorn_store_up',
    help: 'Whether a store answers this process within 2 s: 1 or 0.',
    labelNames: ['store'],
    aggregator: 'min',
    registers: [registry],
    async collect() {
      const ask = async ([store, ping]: [string, () => Promise<unknown>]) =>
        this.set({ store }, (await answersWithin(Promise.resolve().then(ping), ANSWER_WITHIN_MS)) ? 1 : 0);
      await Promise.all(Object.entries(pings).map(ask));
    },
  });
}

type BusFigures = { isUp: boolean; lagSeconds: number; sent: Readonly<Record<string, number>>; dropped: number };

/** Adds the metrics of the messages between processes, where they pass through Postgres. */
export function watchBus(registry: Registry, read: () => BusFigures): void {
  const registers = [registry];
  new Gauge({
    name: 'posthorn_bus_up',
    help: 'Whether messages of other processes reach this one through Postgres: 1 or 0. Without them work is up to 3.5 s late.',
    aggregator: 'min',
    registers,
    collect() {
      this.set(read().isUp ? 1 : 0);
    },
  });
  new Gauge({
    name: 'posthorn_bus_lag_seconds',
    help: 'The time in which the last message of this process to itself came back.',
    aggregator: 'max',
    registers,
    collect() {
      this.set(read().lagSeconds);
    },
  });
  new Counter({
    name: 'posthorn_bus_sent_total',
    help: 'Messages sent to other processes.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      for (const [kind, count] of Object.entries(read().sent)) this.inc({ kind }, count);
    },
  });
  new Counter({
    name: 'posthorn_bus_dropped_total',
    help: 'Messages that were not sent in time, that were not understood, or that a full process had no room for. The tables have the same information.',
    registers,
    collect() {
      this.reset();
      this.inc(read().dropped);
    },
  });
}

/** Adds the offset of this host's wall clock from Postgres' clock, which the product uses. */
export function watchClock(registry: Registry, clock: Pick<StoreClock, 'aheadOfWallMs'>): void {
  new Gauge({
    name: 'posthorn_clock_offset_seconds',
    help: "Seconds by which Postgres' clock is ahead of this host's; the product uses Postgres'.",
    registers: [registry],
    collect() {
      this.set(clock.aheadOfWallMs() / 1_000);
    },
  });
}

/** Adds the number of days ahead for which partitions exist. The returned function sets it. */
export function watchPartitions(registry: Registry): (daysAhead: number) => void {
  const gauge = new Gauge({
    name: 'posthorn_partition_days_ahead',
    help: 'Days after today for which every partition exists; an event of a day without one is answered 503.',
    aggregator: 'min',
    registers: [registry],
  });
  // There is no value before the first reading: an initial 0 would raise an alert.
  gauge.remove();
  return (daysAhead) => gauge.set(daysAhead);
}

/** Adds the number of dropped counts of the workspaces' statistics. The returned function increases it. */
export function watchStats(registry: Registry): (counts: number) => void {
  const dropped = new Counter({
    name: 'posthorn_stats_dropped_total',
    help: 'Counts for the statistics of workspaces that found no room in memory while they could not be written.',
    registers: [registry],
  });
  return (counts) => dropped.inc(counts);
}

/** Adds the metrics of transformations. The returned function counts one run and its computing time. */
export function watchTransformations(registry: Registry): (run: { result: string; computedMs: number }) => void {
  const registers = [registry];
  const runs = new Counter({
    name: 'posthorn_transformations_total',
    help: 'Transformations of events, by result: made, cancelled, threw, limit, wrong_result; paused (failed without a run), or busy (did not get its turn, and is sent later).',
    labelNames: ['result'],
    registers,
  });
  const seconds = new Histogram({
    name: 'posthorn_transformation_seconds',
    help: 'Computing of a transformation of an event.',
    buckets: [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1],
    registers,
  });
  return ({ result, computedMs }) => {
    runs.inc({ result });
    if (result !== 'busy' && result !== 'paused') seconds.observe(computedMs / 1_000);
  };
}

/** Adds whether another installation uses this one's keys in Redis. The returned functions set it and log a warning. */
export function watchInstallation(registry: Registry, quiet: Pick<Logger, 'warn'>) {
  const gauge = new Gauge({
    name: 'posthorn_redis_foreign',
    help: 'Whether another installation, with another database, uses the same Redis and QUEUE_PREFIX: 1 or 0.',
    aggregator: 'max',
    registers: [registry],
  });
  return {
    onLook(isForeign: boolean): void {
      gauge.set(isForeign ? 1 : 0);
      if (isForeign) quiet.warn('another installation uses this Redis and QUEUE_PREFIX: jobs are lost', {});
    },
    onAway(error: unknown): void {
      quiet.warn('the claim on Redis could not be renewed', errorFields(error));
    },
  };
}
