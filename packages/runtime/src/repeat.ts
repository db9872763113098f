/** A round of work that comes again and again until it is stopped. */
export type Repeating = {
  /** The next round follows at once, without its wait. */
  hurry(): void;
  stop(): Promise<void>;
};

export type RepeatOptions = {
  /** One round; answers the milliseconds to wait before the next. What it throws is reported, and it comes again. */
  round: () => Promise<number>;
  /** The wait after a round that threw. */
  waitAfterErrorMs: number;
  onError: (error: unknown) => void;
};

/** Rounds never overlap. `stop` waits for the one under way. */
export function repeat({ round, waitAfterErrorMs, onError }: RepeatOptions): Repeating {
  let stopped = false;
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
    while (!stopped) {
      let waitMs = waitAfterErrorMs;
      try {
        waitMs = await round();
      } catch (error) {
        onError(error);
      }
      if (!stopped && !hurried) await wait(waitMs);
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
      stopped = true;
      wake();
      return running;
    },
  };
}
