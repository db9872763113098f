import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { answersWithin } from './deadline.ts';

/** Adds what every Node process has to tell: memory, CPU, the event loop's lag. Once for each process. */
export function watchProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
}

/** The connections of a pool, and who waits for one. */
export type Pool = { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };

/** Adds how busy this process' connections to Postgres are, read when the metrics are. */
export function watchPool(registry: Registry, pool: Pool): void {
  new Gauge({
    name: 'posthorn_postgres_connections',
    help: 'Connections of this process to Postgres, by state; waiting are the statements without one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
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
