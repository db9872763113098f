import type { Consumer } from '@posthorn/queue/consumer';
import { withDeadline } from '@posthorn/runtime/deadline';

/** A consumer that can be replaced while it runs. */
export type ReplaceableConsumer = Consumer & {
  /** Opens a new consumer in its place. Running jobs of the old one continue, and `drain` also waits for them. */
  replace(): Promise<void>;
};

/** How long closing a consumer may take. A half-open connection never confirms that it was closed. */
const CLOSE_WITHIN_MS = 1_000;

export function createReplaceableConsumer(open: () => Consumer): ReplaceableConsumer {
  let current = open();
  const replaced = new Set<Consumer>();
  const close = (consumer: Consumer) => withDeadline(consumer.close(), CLOSE_WITHIN_MS);
  const forgetOnceDrained = (old: Consumer) =>
    old.drain().then(
      () => replaced.delete(old),
      () => undefined, // The shutdown drains it again.
    );
  return {
    async replace() {
      const old = current;
      replaced.add(old);
      current = open();
      await close(old);
      void forgetOnceDrained(old);
    },
    async drain() {
      await Promise.all([current, ...replaced].map((consumer) => consumer.drain()));
    },
    async close() {
      await close(current);
    },
  };
}

export type StopOptions = {
  /** The time in milliseconds that running jobs have to end. */
  drainWindowMs: number;
  /** The time in milliseconds that aborted jobs have to end. */
  abortWindowMs: number;
  abort: () => void;
  /** Waits for work that the consumers have started outside their jobs. */
  thenDrain: () => Promise<void>;
};

/** Stops taking jobs, waits for the running jobs, and aborts jobs that take longer than the window. */
export async function stopConsumers(
  consumers: readonly Consumer[],
  { drainWindowMs, abortWindowMs, abort, thenDrain }: StopOptions,
): Promise<void> {
  const drained = Promise.all(consumers.map((consumer) => consumer.drain())).then(thenDrain);
  if (!(await withDeadline(drained, drainWindowMs))) {
    abort();
    await withDeadline(drained, abortWindowMs);
  }
  await Promise.all(consumers.map((consumer) => consumer.close()));
}
