/** A running consumer of one queue. */
export type Consumer = {
  /** Takes no more jobs, and resolves once the running ones have ended. It waits without a limit. */
  drain(): Promise<void>;
  /** Ends at once, without waiting for running jobs. The reconciler enqueues them again. */
  close(): Promise<void>;
};

export type ConsumerOptions<Job> = {
  concurrency: number;
  /** Handles a job. When it throws, the job is dropped, and the reconciler enqueues it again. */
  handle: (job: Job) => Promise<void>;
  onJobError: (error: Error) => void;
  /** When the jobs of a dead worker are taken over. */
  takeOver?: TakeOver;
};

/** A worker that has not renewed the lock of a job for `lockMs` is dead. This is looked for every `everyMs`. */
export type TakeOver = { lockMs: number; everyMs: number };

/** Jobs of a dead worker are taken over after 7 to 9 s. With BullMQ's defaults it took 89 s. */
export const TAKE_OVER: TakeOver = { lockMs: 10_000, everyMs: 5_000 };
