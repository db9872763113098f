type TurnsOptions = {
  /** The most pieces of work that run at once, or the most that they weigh together. */
  atOnce: number;
  /** The most pieces of work that wait. Further work is refused at once. Default: no limit. */
  mostWaiting?: number;
  /** Work that has waited for this long is refused. Default: no limit. */
  longestWaitMs?: number;
  /** Makes the error of refused work. Such work is never begun. */
  refusal: () => Error;
};

export type Turns = {
  /**
   * Runs the work when it is its turn, in the order of the calls. Throws the refusal or the work's own error. Work weighs
   * 1 unless a weight is given, which must not be more than `atOnce`.
   */
  run: <Result>(work: () => Promise<Result>, weight?: number) => Promise<Result>;
  /** Whether no work runs, so that none waits either. */
  isIdle: () => boolean;
};

/** Limits the pieces of work that run at once; the others wait in order. */
export function createTurns({ atOnce, mostWaiting = Infinity, longestWaitMs, refusal }: TurnsOptions): Turns {
  let running = 0;
  // In the order of the calls. A piece of work that is refused leaves from the middle.
  const waiting = new Set<{ weight: number; take: () => void }>();

  /** Resolves when running work has ended and the caller is next. */
  function nextTurn(weight: number): Promise<void> {
    if (waiting.size >= mostWaiting) throw refusal();
    return new Promise((resolve, reject) => {
      const take = () => {
        clearTimeout(timer);
        waiting.delete(one);
        running += weight;
        resolve();
      };
      const refuse = () => {
        waiting.delete(one);
        reject(refusal());
        beginWaiting();
      };
      const timer = longestWaitMs === undefined ? undefined : setTimeout(refuse, longestWaitMs);
      const one = { weight, take };
      waiting.add(one);
    });
  }

  /** A turn passes directly to the next waiting work, so that no later call takes it first. */
  function beginWaiting(): void {
    for (const { weight, take } of waiting) {
      if (running + weight > atOnce) return;
      take();
    }
  }

  return {
    async run(work, weight = 1) {
      if (waiting.size === 0 && running + weight <= atOnce) running += weight;
      else await nextTurn(weight);
      try {
        return await work();
      } finally {
        running -= weight;
        beginWaiting();
      }
    },
    isIdle: () => running === 0,
  };
}

/** Runs `work` in its turn among the works of the same key in this process. */
export function createTurnsByKey(options: TurnsOptions) {
  const byKey = new Map<string, Turns>();
  return async <Result>(key: string, work: () => Promise<Result>, weight?: number): Promise<Result> => {
    const turns = byKey.get(key) ?? createTurns(options);
    byKey.set(key, turns);
    try {
      return await turns.run(work, weight);
    } finally {
      if (turns.isIdle()) byKey.delete(key);
    }
  };
}
