import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Counters shared with the receivers' thread, by index. */
export const COUNTERS = { answered: 0, connections: 1, hung: 2, recording: 3 } as const;

export type Receivers = {
  /** The address of each server. Every path answers 200 immediately, except `/hang`, which never answers. */
  origins: string[];
  /** The number of requests answered so far. */
  count: () => number;
  /** The number of requests left hanging so far. */
  hung: () => number;
  /** The number of TLS connections opened so far. */
  connections: () => number;
  /** Starts recording the arrival of each `webhook-id`. */
  record: () => void;
  /** Ends the recording; returns the first arrival of each `webhook-id`, in milliseconds since the epoch. */
  takeArrivals: () => Promise<Map<string, number>>;
  close: () => Promise<void>;
};

/** HTTPS receivers on separate ports, in a separate thread, so that they do not delay the load generator. */
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
