import { Worker } from 'bullmq';
import { openWorkerConnection } from './connection.ts';
import { DELIVER_QUEUE, type DeliverJob } from './deliver-job.ts';
import { FAN_OUT_QUEUE, type FanOutJob } from './fan-out-job.ts';

/** A running consumer of one queue. */
export type Consumer = {
  /** Takes no more jobs and resolves once those under way have ended. It has no time limit of its own. */
  drain(): Promise<void>;
  /** Ends at once; what is under way is left to the sweep. */
  close(): Promise<void>;
};

export type ConsumerOptions<Job> = {
  redisUrl: string;
  prefix: string;
  concurrency: number;
  /** What a job asks for. A throw is our own fault: the job is dropped, and the sweep rings again. */
  handle: (job: Job) => Promise<void>;
  onJobError: (error: Error) => void;
  onError: (error: Error) => void;
};

const FETCHED_AHEAD = 10;

/** Consumes fan-out jobs. */
export function consumeFanOut(options: ConsumerOptions<FanOutJob>): Consumer {
  return consume(FAN_OUT_QUEUE, options);
}

/** Consumes deliver jobs. */
export function consumeDeliver(options: ConsumerOptions<DeliverJob>): Consumer {
  return consume(DELIVER_QUEUE, options);
}

function consume<Job>(queue: string, options: ConsumerOptions<Job>): Consumer {
  const connection = openWorkerConnection(options);
  const underWay = new Set<Promise<void>>();
  // BullMQ fetches jobs one by one until it holds as many as it may, and only then begins the first: 200 round trips,
  // for which locks are not renewed. So what comes after a rest begins with few, and then it may hold ever more. Held
  // to few all the time, jobs that end together fetch no others together, and statements carry a few rows each.
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
    // Jobs of a worker that died are taken over in 7–9 s; by default it took 89 s. The claim makes a job that is run
    // twice harmless, so no number of stalls is a reason to drop it.
    lockDuration: 10_000,
    stalledInterval: 5_000,
    maxStalledCount: 1_000,
    // After a lost connection work goes on half a second later; by default it took 15 s.
    runRetryDelay: 500,
  });
  worker.on('error', options.onError);
  worker.on('failed', (_job, error) => options.onJobError(error));
  return {
    async drain() {
      const closed = worker.close();
      while (underWay.size > 0) await Promise.allSettled(underWay);
      // Without Redis nothing more can come, but the worker would wait to tell it so.
      if (connection.status === 'ready') await closed;
    },
    async close() {
      const closed = worker.close(true);
      if (connection.status === 'ready') await closed;
      connection.disconnect();
    },
  };
}
