/** A running consumer of a queue. */
export type Consumer = {
  /** Takes no more jobs, and resolves once the running ones have ended. There is no time limit. */
  drain(): Promise<void>;
  /** Ends at once, without waiting for running jobs. The reconciler enqueues them again. */
  close(): Promise<void>;
};

export type ConsumerOptions<Job> = {
  concurrency: number;
  /** Handles a job. If it throws, the job is dropped, and the reconciler enqueues it again. */
  handle: (job: Job) => Promise<void>;
  onJobError: (error: Error) => void;
  /** When to take over the jobs of a dead worker. */
  takeOver?: TakeOver;
};

/** A worker is dead if it has not renewed the lock of a job for `lockMs`. This is checked every `everyMs`. */
export type TakeOver = { lockMs: number; everyMs: number };

/** Jobs of a dead worker are taken over after 7 to 9 s. With BullMQ's defaults it took 89 s. */
export const TAKE_OVER: TakeOver = { lockMs: 10_000, everyMs: 5_000 };
