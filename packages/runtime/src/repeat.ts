/** A round of work that is repeated until it is stopped. */
export type Repeating = {
  /** Starts the next round at once, without its wait. */
  hurry(): void;
  stop(): Promise<void>;
};

export type RepeatOptions = {
  /**
   * One round; returns the milliseconds to wait before the next one. An error is reported, and the rounds continue. The
   * signal is aborted by `stop`: a long round should then end soon.
   */
  round: (stopped: AbortSignal) => Promise<number>;
  /** The wait after a round that threw an error. */
  waitAfterErrorMs: number;
  onError: (error: unknown) => void;
};

/** Repeats the rounds, which never overlap. `stop` waits for the running round. */
export function repeat({ round, waitAfterErrorMs, onError }: RepeatOptions): Repeating {
  const stopping = new AbortController();
  const { signal } = stopping;
  let hurried = false;
  let wake = () => {};
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!signal.aborted) {
      let waitMs = waitAfterErrorMs;
      try {
        waitMs = await round(signal);
      } catch (error) {
        onError(error);
      }
      if (!signal.aborted && !hurried) await wait(waitMs);
      hurried = false;
    }
  };
  const running = run();
  return {
    hurry() {
      hurried = true;
      wake();
    },
    stop() {
      stopping.abort();
      wake();
      return running;
    },
  };
}
