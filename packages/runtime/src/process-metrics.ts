import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { StoreClock } from './clock.ts';
import { answersWithin } from './deadline.ts';

/** Adds what every Node process has to tell: memory, CPU, the event loop's lag. Once for each process. */
export function watchProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
}

/** The connections of a pool, and who waits for one. */
export type Pool = { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };

/** Adds how busy this process' connections to Postgres are, by the name of their pool, read when the metrics are. */
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

/** Adds whether this process reaches its stores, asked when the metrics are read. */
export function watchStores(registry: Registry, pings: Record<string, () => Promise<unknown>>): void {
  new Gauge({
    name: 'posthorn_store_up',
    help: 'Whether a store answers this process within 2 s: 1 or 0.',
    labelNames: ['store'],
    registers: [registry],
    async collect() {
      const ask = async ([store, ping]: [string, () => Promise<unknown>]) =>
        this.set({ store }, (await answersWithin(Promise.resolve().then(ping), ANSWER_WITHIN_MS)) ? 1 : 0);
      await Promise.all(Object.entries(pings).map(ask));
    },
  });
}

/** Adds how far this host's wall clock is from Postgres', by which the product goes. */
export function watchClock(registry: Registry, clock: Pick<StoreClock, 'aheadOfWallMs'>): void {
  new Gauge({
    name: 'posthorn_clock_offset_seconds',
    help: "Seconds by which Postgres' clock is ahead of this host's; the product goes by Postgres'.",
    registers: [registry],
    collect() {
      this.set(clock.aheadOfWallMs() / 1_000);
    },
  });
}

/** Adds for how many days ahead partitions stand ready, as last seen by this process: told through the function. */
export function watchPartitions(registry: Registry): (daysAhead: number) => void {
  const gauge = new Gauge({
    name: 'posthorn_partition_days_ahead',
    help: 'Days after today for which every partition stands ready; an event of a day without one is answered 503.',
    registers: [registry],
  });
  // No figure before the first look: the 0 that it begins with would be an alert.
  gauge.remove();
  return (daysAhead) => gauge.set(daysAhead);
}
