import type { ProbeJob } from './jobs.ts';

/** Tells the API process that its probe has begun or ended. */
export type ProbeReplies = {
  /** Rejects while its server is away. */
  begun(job: ProbeJob): Promise<void>;
  /** `reply` is the result as JSON; null if the result is a row in Postgres. Rejects while its server is away. */
  ended(job: ProbeJob, reply: unknown): Promise<void>;
  close(): void;
};
