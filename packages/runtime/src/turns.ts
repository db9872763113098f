type TurnsOptions = {
  /** The most pieces of work that run at once. */
  atOnce: number;
  /** The most pieces of work that wait. Further work is refused at once. Default: no limit. */
  mostWaiting?: number;
  /** Work that has waited for this long is refused. Default: no limit. */
  longestWaitMs?: number;
  /** Makes the error of refused work. Such work is never begun. */
  refusal: () => Error;
};

export type Turns = {
  /** Runs the work when it is its turn, in the order of the calls. Throws the refusal or the work's own error. */
  run: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Whether no work runs, so that none waits either. */
  isIdle: () => boolean;
};

/** Limits the pieces of work that run at once; the others wait in order. */
export function createTurns({ atOnce, mostWaiting = Infinity, longestWaitMs, refusal }: TurnsOptions): Turns {
  let running = 0;
  // In the order of the calls. A piece of work that is refused leaves from the middle.
  const waiting = new Set<() => void>();

  /** Resolves when running work has ended and the caller is next. */
  function nextTurn(): Promise<void> {
    if (waiting.size >= mostWaiting) throw refusal();
    return new Promise((resolve, reject) => {
      const take = () => {
        clearTimeout(timer);
        waiting.delete(take);
        resolve();
      };
      const refuse = () => {
        waiting.delete(take);
        reject(refusal());
      };
      const timer = longestWaitMs === undefined ? undefined : setTimeout(refuse, longestWaitMs);
      waiting.add(take);
    });
  }

  return {
    async run(work) {
      if (running < atOnce) running += 1;
      else await nextTurn();
      try {
        return await work();
      } finally {
        // The turn passes directly to the next waiting work, so that no later call takes it first.
        const [next] = waiting;
        if (next === undefined) running -= 1;
        else next();
      }
    },
    isIdle: () => running === 0,
  };
}
