import { resultWithin } from './deadline.ts';

export type BatchOptions<Item, Result> = {
  /** Handles the items together; returns one result for each, in order. An error reaches every caller. */
  run: (items: Item[]) => Promise<Result[]>;
  /** The most items in a batch. */
  maxItems: number;
  /** The weight of an item, and the greatest weight of a batch. A heavier item is a batch of its own. */
  weight?: { of: (item: Item) => number; most: number };
  /**
   * The lane of an item; undefined puts all items into one lane. When more items wait than fit into a batch, lanes take
   * turns: the many items of one lane do not delay the few of another.
   */
  lane?: (item: Item) => string;
  /**
   * The most batches that run at once. Another batch starts beside a running one only when it is full, by number or by
   * weight.
   */
  maxInFlight: number;
  /**
   * The shortest time between the starts of two batches; 0 by default. With it, calls that come one by one share
   * batches. Use it where a batch costs many times as much as an item, and callers do not notice the wait.
   */
  apartMs?: number;
  /**
   * The longest time of a batch: 40 s by default, Infinity for no limit. Then the calls of the batch fail with the code
   * ETIMEDOUT, and the next batch may start. The work is not stopped: it may still take effect, as after a lost reply.
   */
  deadlineMs?: number;
};

/** Longer than the longest statement (35 s) and the longest wait for a connection (5 s). */
const DEADLINE_MS = 40_000;

/** The part of a batch that a lane fills in one turn, by items or by weight; at least one item. */
const TURN = 1 / 16;

const WEIGHTLESS = { of: () => 0, most: Infinity };

/**
 * Joins single calls into batches, and never waits for a batch to fill. A call starts a batch at once when none runs
 * (and none has started within `apartMs`). The calls that arrive meanwhile become the next batch. Another batch starts
 * beside a running one only when it is full: a statement costs as much as 20 further rows, so two half-full statements
 * cost a third more than one. Each caller gets its own result when its whole batch has ended. When the process is idle,
 * a call is not delayed.
 */
export function createBatcher<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { apartMs = 0, deadlineMs = DEADLINE_MS, weight = WEIGHTLESS } = options;
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };
  /** The lane at the front has the next turn. */
  const lanes = new Map<string, Waiting[]>();
  let waiting = 0;
  let waitingWeight = 0;
  let inFlight = 0;
  let scheduled = false;
  let startedMs = Number.NEGATIVE_INFINITY;
  let startsLater = false;

  const wait = (call: Waiting) => {
    const name = options.lane?.(call.item) ?? '';
    const lane = lanes.get(name);
    if (lane === undefined) lanes.set(name, [call]);
    else lane.push(call);
    waiting += 1;
    waitingWeight += weight.of(call.item);
  };
  const isFull = () => waiting >= options.maxItems || waitingWeight >= weight.most;
  const mayStart = () => waiting > 0 && (inFlight === 0 || (inFlight < options.maxInFlight && isFull()));
  /** True if `apartMs` has not passed since the last batch. Then schedules the next batch for later. */
  const isEarly = () => {
    if (apartMs === 0) return false;
    const leftMs = startedMs + apartMs - performance.now();
    if (leftMs <= 0) {
      startedMs = performance.now();
      return false;
    }
    if (!startsLater) {
      startsLater = true;
      setTimeout(() => {
        startsLater = false;
        start();
      }, leftMs);
    }
    return true;
  };
  const start = () => {
    scheduled = false;
    while (mayStart()) {
      if (isEarly()) return;
      const batch = takeInTurns(lanes, options);
      waiting -= batch.length;
      for (const { item } of batch) waitingWeight -= weight.of(item);
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
      wait({ item, resolve, reject });
      // Starts after this turn of the event loop, so that all calls from one read of the sockets are in one batch.
      if (!scheduled && mayStart()) {
        scheduled = true;
        setImmediate(start);
      }
    });
}

/** Takes a batch out of the lanes, which take turns from the front to the end. */
function takeInTurns<Call extends { item: Item }, Item>(
  lanes: Map<string, Call[]>,
  { maxItems, weight = WEIGHTLESS }: Pick<BatchOptions<Item, unknown>, 'maxItems' | 'weight'>,
): Call[] {
  const batch: Call[] = [];
  let room = weight.most;
  // A lane that is put back at the end is visited again.
  for (const [name, lane] of lanes) {
    const turn = lanes.size === 1 ? 1 : TURN;
    let count = 0;
    let taken = 0;
    for (const { item } of lane) {
      const withThis = taken + weight.of(item);
      if (batch.length + count === maxItems || (batch.length + count > 0 && withThis > room)) break;
      if (count > 0 && (count >= maxItems * turn || withThis > weight.most * turn)) break;
      count += 1;
      taken = withThis;
    }
    if (count === 0) break;
    batch.push(...lane.splice(0, count));
    room -= taken;
    lanes.delete(name);
    if (lane.length > 0) lanes.set(name, lane);
  }
  return batch;
}
