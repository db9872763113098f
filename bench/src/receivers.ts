import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Shared with the receivers' thread: a number for each of these. */
export const COUNTERS = { answered: 0, connections: 1, hung: 2, recording: 3 } as const;

export type Receivers = {
  /** One address a server; every path of it answers 200 at once, but `/hang`, which never answers. */
  origins: string[];
  /** Requests answered so far. */
  count: () => number;
  /** Requests that were left to hang so far. */
  hung: () => number;
  /** TLS connections opened so far. */
  connections: () => number;
  /** From now on the arrival of each `webhook-id` is written down. */
  record: () => void;
  /** When each `webhook-id` first arrived, in milliseconds since the epoch; ends the recording. */
  takeArrivals: () => Promise<Map<string, number>>;
  close: () => Promise<void>;
};

/**
 * HTTPS receivers on ports of their own, in a thread of their own: what they cost is not taken from the load
 * generator's clock.
 */
export async function startReceivers(count: number, tls: { key: string; cert: string }): Promise<Receivers> {
  const counter = new Int32Array(new SharedArrayBuffer(16));
  const worker = new Worker(new URL('./receiver-thread.js', import.meta.url), { workerData: { count, tls, counter } });
  const [ports] = (await once(worker, 'message')) as [number[]];
  const read = (name: keyof typeof COUNTERS) => Atomics.load(counter, COUNTERS[name]);
  return {
    origins: ports.map((port) => `https://127.0.0.1:${port}`),
    count: () => read('answered'),
    hung: () => read('hung'),
    connections: () => read('connections'),
    record: () => void Atomics.store(counter, COUNTERS.recording, 1),
    async takeArrivals() {
      Atomics.store(counter, COUNTERS.recording, 0);
      worker.postMessage('take');
      const [arrivals] = (await once(worker, 'message')) as [Map<string, number>];
      return arrivals;
    },
    async close() {
      await worker.terminate();
    },
  };
}
