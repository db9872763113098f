import { resultWithin } from './deadline.ts';

export type BatchOptions<Item, Result> = {
  /** Handles the items together; returns one result for each, in order. An error reaches every caller. */
  run: (items: Item[]) => Promise<Result[]>;
  /** The most items in a batch. */
  maxItems: number;
  /** The weight of an item, and the largest weight of a batch. An item that is heavier is a batch of its own. */
  weight?: { of: (item: Item) => number; most: number };
  /** The most batches that run at once. Beside a running batch, another one starts only when it is full. */
  maxInFlight: number;
  /**
   * The longest time of a batch: 40 s by default, Infinity for no limit. After it, the calls of the batch fail with the
   * code ETIMEDOUT, and the next batch may start. The work is not stopped: it may still take effect, as when a reply is
   * lost.
   */
  deadlineMs?: number;
};

/** Longer than the longest statement (35 s) and the longest wait for a connection (5 s). */
const DEADLINE_MS = 40_000;

/**
 * Joins single calls into batches, and never waits for a batch to fill. A call starts a batch at once when none runs.
 * The calls that arrive meanwhile become the next batch. Another batch starts beside a running one only when it is
 * full: a statement costs as much as 20 further rows, so two half-full statements cost a third more than one. Each
 * caller gets its own result after its whole batch. When the process is idle, a call is not delayed.
 */
export function createBatcher<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { deadlineMs = DEADLINE_MS } = options;
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };
  let queue: Waiting[] = [];
  let inFlight = 0;
  let scheduled = false;

  const countThatFits = (waiting: Waiting[]): number => {
    const { maxItems, weight } = options;
    if (weight === undefined) return maxItems;
    let total = 0;
    for (const [index, { item }] of waiting.slice(0, maxItems).entries()) {
      total += weight.of(item);
      if (total > weight.most) return Math.max(1, index);
    }
    return maxItems;
  };
  const mayStart = () =>
    queue.length > 0 && (inFlight === 0 || (inFlight < options.maxInFlight && queue.length >= options.maxItems));
  const start = () => {
    scheduled = false;
    while (mayStart()) {
      const count = countThatFits(queue);
      const batch = queue.slice(0, count);
      queue = queue.slice(count);
      inFlight += 1;
      void runBatch(batch).finally(() => {
        inFlight -= 1;
        start();
      });
    }
  };
  const runBatch = async (batch: Waiting[]) => {
    try {
      const results = await resultWithin(options.run(batch.map((waiting) => waiting.item)), deadlineMs);
      if (results.length !== batch.length) throw new Error('a batch answered with another number of results');
      for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as Result);
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  };
  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      // Runs after this turn of the event loop, so that all calls from one read of the sockets are in one batch.
      if (!scheduled && mayStart()) {
        scheduled = true;
        setImmediate(start);
      }
    });
}
