import { resultWithin } from './deadline.ts';

export type BatchOptions<Item, Result> = {
  /** Handles the items together; answers one result for each, in their order. What it throws reaches every caller. */
  run: (items: Item[]) => Promise<Result[]>;
  /** Items in one batch at most. */
  maxItems: number;
  /** What an item weighs, and what a batch may weigh; one that is heavier goes alone. */
  weight?: { of: (item: Item) => number; most: number };
  /** Batches under way at most; all but the first only when they are full. */
  maxInFlight: number;
  /**
   * A batch that takes longer (40 s unless told, for ever with Infinity) fails for its callers with the code ETIMEDOUT and no longer
   * keeps the next ones waiting. It is not stopped: what it does may still take effect, as with a reply that was lost.
   */
  deadlineMs?: number;
};

/** Longer than a statement may take (35 s), the wait for a connection (5 s) included. */
const DEADLINE_MS = 40_000;

/**
 * Coalesces single calls into batches without ever waiting for one to fill: a call starts a batch at once when none is
 * under way, and what arrives meanwhile becomes the next. Another starts beside it only when it is full: a statement's
 * fixed cost is that of 20 rows, so that two half-full ones cost a third more. Each caller gets its own result, after
 * its whole batch. Idle, it adds nothing.
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
      // After this turn of the event loop, so that what one read of the sockets brought goes in one batch.
      if (!scheduled && mayStart()) {
        scheduled = true;
        setImmediate(start);
      }
    });
}
