import { Worker } from 'bullmq';
import { openWorkerConnection } from './connection.ts';
import { DELIVER_QUEUE, type DeliverJob, FAN_OUT_QUEUE, type FanOutJob } from './jobs.ts';

/** A running consumer of one queue. */
export type Consumer = {
  /** Takes no more jobs and resolves once those under way have ended. It has no time limit of its own. */
  drain(): Promise<void>;
  /** Ends at once; the reconciler enqueues again for jobs under way. */
  close(): Promise<void>;
};

export type ConsumerOptions<Job> = {
  redisUrl: string;
  prefix: string;
  concurrency: number;
  /** A throw is our own fault: the job is dropped, and the reconciler enqueues again. */
  handle: (job: Job) => Promise<void>;
  onJobError: (error: Error) => void;
  onError: (error: Error) => void;
};

const FETCHED_AHEAD = 10;

/**
 * Consumes fan-out jobs. A job is run again once after its worker died; then it is dropped, because its events may be
 * the cause, and the reconciler counts how often it enqueues them.
 */
export function consumeFanOut(options: ConsumerOptions<FanOutJob>): Consumer {
  return consume(FAN_OUT_QUEUE, { ...options, maxStalledCount: 1 });
}

/** Consumes deliver jobs. However often a job is run, the claim makes it harmless and counts the leases that it lost. */
export function consumeDeliver(options: ConsumerOptions<DeliverJob>): Consumer {
  return consume(DELIVER_QUEUE, { ...options, maxStalledCount: 1_000 });
}

function consume<Job>(queue: string, options: ConsumerOptions<Job> & { maxStalledCount: number }): Consumer {
  const connection = openWorkerConnection(options);
  const underWay = new Set<Promise<void>>();
  // BullMQ fetches jobs one by one until it holds as many as it may, and only then begins the first: 200 round trips,
  // for which locks are not renewed. After a rest the worker therefore holds few jobs, and then more with each fetch.
  // With a low limit all the time, jobs that end together fetch no others together, and statements carry few rows.
  const limitHeld = () => {
    const few = Math.min(options.concurrency, underWay.size + FETCHED_AHEAD);
    worker.concurrency = underWay.size === 0 ? few : Math.max(worker.concurrency, few);
  };
  const handle = (job: Job): Promise<void> => {
    const handling = options.handle(job).finally(() => {
      underWay.delete(handling);
      limitHeld();
    });
    underWay.add(handling);
    limitHeld();
    return handling;
  };
  const worker = new Worker<Job>(queue, (job) => handle(job.data), {
    connection,
    prefix: options.prefix,
    concurrency: Math.min(options.concurrency, FETCHED_AHEAD),
    // Jobs of a worker that died are taken over in 7–9 s; with BullMQ's defaults it took 89 s.
    lockDuration: 10_000,
    stalledInterval: 5_000,
    maxStalledCount: options.maxStalledCount,
    // After a lost connection work goes on half a second later; with BullMQ's default it took 15 s.
    runRetryDelay: 500,
  });
  worker.on('error', options.onError);
  worker.on('failed', (_job, error) => options.onJobError(error));
  return {
    async drain() {
      const closed = worker.close();
      while (underWay.size > 0) await Promise.allSettled(underWay);
      // Without Redis no more jobs can come, but the worker's close would wait for the connection.
      if (connection.status === 'ready') await closed;
    },
    async close() {
      const closed = worker.close(true);
      if (connection.status === 'ready') await closed;
      connection.disconnect();
    },
  };
}
