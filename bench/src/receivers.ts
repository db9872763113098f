import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type Receivers = {
  urls: string[];
  /** Requests received so far. */
  count: () => number;
  /** TLS connections opened so far. */
  connections: () => number;
  /** When each `webhook-id` first arrived: milliseconds since the epoch, with fractions. Empties the list. */
  takeArrivals: () => Promise<Map<string, number>>;
  close: () => Promise<void>;
};

/**
 * HTTPS receivers that answer 200 at once, on ports of their own, in a thread of their own: what they cost is not
 * taken from the load generator's clock.
 */
export async function startReceivers(count: number, tls: { certificate: string; key: string }): Promise<Receivers> {
  const counter = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL('./receiver-thread.js', import.meta.url), { workerData: { count, tls, counter } });
  const [ports] = (await once(worker, 'message')) as [number[]];
  return {
    urls: ports.map((port) => `https://127.0.0.1:${port}/hook`),
    count: () => Atomics.load(counter, 0),
    connections: () => Atomics.load(counter, 1),
    async takeArrivals() {
      worker.postMessage('take');
      const [arrivals] = (await once(worker, 'message')) as [Map<string, number>];
      return arrivals;
    },
    async close() {
      await worker.terminate();
    },
  };
}
