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
  /**
   * Begins work whose end the caller tells by `end` with the same weight. Undefined if it begins at once; a promise of its
   * turn if it waits. Throws the refusal, or rejects with it.
   */
  begin: (weight?: number) => Promise<void> | undefined;
  end: (weight?: number) => void;
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

  function begin(weight = 1): Promise<void> | undefined {
    if (waiting.size > 0 || running + weight > atOnce) return nextTurn(weight);
    running += weight;
    return undefined;
  }

  function end(weight = 1): void {
    running -= weight;
    beginWaiting();
  }

  return {
    begin,
    end,
    run: async (work, weight) => runInTurn(begin(weight), work, () => end(weight)),
    isIdle: () => running === 0,
  };
}

/** Runs the work when its turn has come, at once if there is no turn to wait for. */
async function runInTurn<Result>(
  turn: Promise<void> | undefined,
  work: () => Promise<Result>,
  end: () => void,
): Promise<Result> {
  if (turn !== undefined) await turn;
  try {
    return await work();
  } finally {
    end();
  }
}

/** Turns among the works of the same key in this process: as `Turns`, with the key before the other arguments. */
export type TurnsByKey = {
  run: <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;
  begin: (key: string, weight?: number) => Promise<void> | undefined;
  end: (key: string, weight?: number) => void;
};

export function createTurnsByKey(options: TurnsOptions): TurnsByKey {
  const byKey = new Map<string, Turns>();

  function begin(key: string, weight?: number): Promise<void> | undefined {
    const known = byKey.get(key);
    if (known !== undefined) return known.begin(weight);
    const turns = createTurns(options);
    byKey.set(key, turns);
    return turns.begin(weight);
  }

  function end(key: string, weight?: number): void {
    const turns = byKey.get(key);
    turns?.end(weight);
    if (turns?.isIdle()) byKey.delete(key);
  }

  return {
    begin,
    end,
    run: async (key, work) => runInTurn(begin(key), work, () => end(key)),
  };
}
