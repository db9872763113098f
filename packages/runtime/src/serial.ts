/** Runs work of an owner later; resolves once it has run, or was left out. */
export type Serial = (owner: string, work: () => Promise<void>) => Promise<void>;

type Waiting = { work: () => Promise<void>; resolve: () => void; reject: (error: unknown) => void };

/**
 * Runs the given work one at a time: the owners in turn, and the work of each in order. At most `maxWaiting` wait beside
 * the one that runs. Beyond that, the latest work of the owner with the most is left out: it is not run, and its promise
 * resolves. An error rejects only its own caller's promise, and the next work runs.
 */
export function createSerial(maxWaiting: number): Serial {
  /** The owner whose turn is next comes first. */
  const queues = new Map<string, Waiting[]>();
  let waiting = 0;
  let isRunning = false;

  const run = async () => {
    for (let one = takeNext(queues); one !== undefined; one = takeNext(queues)) {
      waiting -= 1;
      await one.work().then(one.resolve, one.reject);
    }
    isRunning = false;
  };
  return (owner, work) =>
    new Promise((resolve, reject) => {
      queues.set(owner, [...(queues.get(owner) ?? []), { work, resolve, reject }]);
      waiting += 1;
      if (!isRunning) {
        isRunning = true;
        void run();
      } else if (waiting > maxWaiting) {
        waiting -= 1;
        leaveOut(queues, owner);
      }
    });
}

/** The first work of the owner whose turn it is. That owner's next turn comes after those of the others. */
function takeNext(queues: Map<string, Waiting[]>): Waiting | undefined {
  const [turn] = queues;
  if (turn === undefined) return undefined;
  const [owner, [first, ...others]] = turn;
  queues.delete(owner);
  if (others.length > 0) queues.set(owner, others);
  return first;
}

/** Among owners with as many, the work of the one that has just come is left out. */
function leaveOut(queues: Map<string, Waiting[]>, latestOwner: string): void {
  let owner = latestOwner;
  for (const [other, queue] of queues) {
    if (queue.length > (queues.get(owner)?.length ?? 0)) owner = other;
  }
  const queue = queues.get(owner);
  queue?.pop()?.resolve();
  if (queue?.length === 0) queues.delete(owner);
}
