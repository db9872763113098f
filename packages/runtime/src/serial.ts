/** Between two parts, work may await `endTurn`, which resolves when it is the turn of its owner again. */
type Work = (endTurn: () => Promise<void>) => Promise<void>;

/** Runs work of an owner in its turn. Resolves once the work has run, or was left out. */
export type Serial = (owner: string, work: Work) => Promise<void>;

/** `leaveOut` is absent once the work has begun. `run` resolves when the work, or its turn, has ended. */
type Waiting = { run: () => Promise<void>; leaveOut?: () => void };

/**
 * Runs one piece of work at a time: the owners take turns, and the work of each owner runs in order. At most
 * `maxWaiting` pieces wait beside the running one. When there are more, the latest work of the owner with the most is
 * left out: it is not run, and its promise resolves. An error rejects only its own caller's promise, and the next work
 * runs.
 */
export function createSerial(maxWaiting: number): Serial {
  /** By owner. The first owner has the next turn. */
  const queues = new Map<string, Waiting[]>();
  let waiting = 0;
  let isRunning = false;

  const run = async () => {
    for (let one = takeNext(queues); one !== undefined; one = takeNext(queues)) {
      waiting -= 1;
      await one.run();
    }
    isRunning = false;
  };
  const goOnLater = (owner: string, one: Waiting) => {
    waiting += 1;
    queues.set(owner, [one, ...(queues.get(owner) ?? [])]);
  };
  return (owner, work) =>
    new Promise((resolve, reject) => {
      const begin = inTurns(work, { goOnLater: (one) => goOnLater(owner, one), resolve, reject });
      queues.set(owner, [...(queues.get(owner) ?? []), { run: begin, leaveOut: resolve }]);
      waiting += 1;
      if (!isRunning) {
        isRunning = true;
        void run();
      } else if (waiting > maxWaiting) {
        waiting -= 1;
        leaveOutLatest(queues, owner);
      }
    });
}

type Ends = { goOnLater: (one: Waiting) => void; resolve: () => void; reject: (error: unknown) => void };

/** Begins the work, and resolves when its first turn has ended. The later turns are passed to `goOnLater`. */
function inTurns(work: Work, { goOnLater, resolve, reject }: Ends): () => Promise<void> {
  let turnEnded = () => {};
  const turn = (begin: () => void) =>
    new Promise<void>((ended) => {
      turnEnded = ended;
      begin();
    });
  const endTurn = () =>
    new Promise<void>((goOn) => {
      goOnLater({ run: () => turn(goOn) });
      turnEnded();
    });
  return () =>
    turn(
      () =>
        void work(endTurn)
          .then(resolve, reject)
          .finally(() => turnEnded()),
    );
}

/** Takes the first work of the owner whose turn it is. The owner's next turn comes after those of the others. */
function takeNext(queues: Map<string, Waiting[]>): Waiting | undefined {
  const [turn] = queues;
  if (turn === undefined) return undefined;
  const [owner, [first, ...others]] = turn;
  queues.delete(owner);
  if (others.length > 0) queues.set(owner, others);
  return first;
}

/** Leaves out the latest work of the owner with the most; that of `latestOwner`, if no other owner has more. */
function leaveOutLatest(queues: Map<string, Waiting[]>, latestOwner: string): void {
  const countOf = (queue: readonly Waiting[] | undefined) =>
    (queue ?? []).filter((one) => one.leaveOut !== undefined).length;
  let owner = latestOwner;
  for (const [other, queue] of queues) if (countOf(queue) > countOf(queues.get(owner))) owner = other;
  const queue = queues.get(owner);
  queue?.pop()?.leaveOut?.();
  if (queue?.length === 0) queues.delete(owner);
}
