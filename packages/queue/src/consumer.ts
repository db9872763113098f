import type { Worker } from 'bullmq';
import { bullmq } from './bullmq.ts';
import { openWorkerConnection, type QueueOptions } from './connection.ts';
import { type DeliverJob, FAN_OUT_QUEUE, type FanOutJob, PROBE_QUEUE, type ProbeJob } from './jobs.ts';
import { deliverQueue, prefixOf } from './queues.ts';

/** A running consumer of one queue. */
export type Consumer = {
  /** Takes no more jobs and resolves once the running ones have ended. It has no time limit of its own. */
  drain(): Promise<void>;
  /** Ends at once. The reconciler enqueues the running jobs again. */
  close(): Promise<void>;
};

export type ConsumerOptions<Job> = QueueOptions & {
  concurrency: number;
  /** Handles a job. When it throws, the job is dropped, and the reconciler enqueues it again. */
  handle: (job: Job) => Promise<void>;
  onJobError: (error: Error) => void;
};

const FETCHED_AHEAD = 10;

const WORKER_OPTIONS = {
  // Jobs of a dead worker are taken over in 7–9 s; with BullMQ's defaults it took 89 s.
  lockDuration: 10_000,
  stalledInterval: 5_000,
  // After a lost connection work continues half a second later; with BullMQ's default it took 15 s.
  runRetryDelay: 500,
};

/**
 * Consumes fan-out jobs. After its worker died, a job is run again once. After a second death it is dropped, because
 * its events may be the cause; the reconciler counts how often it enqueues them.
 */
export function consumeFanOut(options: ConsumerOptions<FanOutJob>): Consumer {
  return consume(FAN_OUT_QUEUE, { ...options, maxStalledCount: 1 });
}

/**
 * Consumes the deliver jobs of one shard; of the first one by default. The claim makes repeated runs of a job harmless
 * and counts lost leases.
 */
export function consumeDeliver(options: ConsumerOptions<DeliverJob> & { shard?: number }): Consumer {
  return consume(deliverQueue(options.shard ?? 0), { ...options, maxStalledCount: 1_000 });
}

/**
 * The jobs of one shard that a process holds at once, of those that it may hold in all. Shards are not equally busy, so
 * each has twice its part; jobs beyond the process's slots wait for one.
 */
export function shareOfShard(concurrency: number, shards: number): number {
  if (shards === 1) return concurrency;
  return Math.min(concurrency, Math.max(FETCHED_AHEAD, Math.ceil((2 * concurrency) / shards)));
}

/** Consumes probe jobs. A job whose worker died is dropped: its request may have been sent, and is never sent again. */
export function consumeProbes(options: ConsumerOptions<ProbeJob>): Consumer {
  return consume(PROBE_QUEUE, { ...options, maxStalledCount: 0 });
}

function consume<Job>(queue: string, options: ConsumerOptions<Job> & { maxStalledCount: number }): Consumer {
  const connection = openWorkerConnection(options);
  const underWay = new Set<Promise<void>>();
  let worker: Worker<Job> | undefined;
  let ended = false;
  // BullMQ fetches jobs one by one up to its limit, and only then starts the first: 200 round trips during which locks
  // are not renewed. So after an idle time the limit is low and rises with each fetch. It must not stay low: then jobs
  // that end together would not be replaced together, and each statement would carry few rows.
  const limitHeld = () => {
    if (worker === undefined) return;
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
  const open = (skipVersionCheck: boolean) => {
    if (ended) return;
    worker = new bullmq.Worker<Job>(queue, (job) => handle(job.data), {
      ...WORKER_OPTIONS,
      connection,
      prefix: prefixOf(queue, options.prefix, connection),
      concurrency: Math.min(options.concurrency, FETCHED_AHEAD),
      maxStalledCount: options.maxStalledCount,
      skipVersionCheck,
    });
    worker.on('error', options.onError);
    worker.on('failed', (_job, error) => options.onJobError(error));
  };
  // A worker learns from INFO that it may wait for parts of a second. Where Redis refuses INFO, a worker that asked for
  // it would never begin; one that does not ask waits for whole seconds.
  const begin = () => {
    connection.info().then(
      () => open(false),
      (error: Error) => {
        if (error.name === 'ReplyError') open(true);
        else if (!ended) setTimeout(begin, WORKER_OPTIONS.runRetryDelay).unref();
      },
    );
  };
  begin();
  return {
    async drain() {
      ended = true;
      const closed = worker?.close();
      while (underWay.size > 0) await Promise.allSettled(underWay);
      // Without Redis no more jobs can arrive, but the worker's close would wait for the connection.
      if (connection.status === 'ready') await closed;
    },
    async close() {
      ended = true;
      const closed = worker?.close(true);
      if (connection.status === 'ready') await closed;
      connection.disconnect();
    },
  };
}
