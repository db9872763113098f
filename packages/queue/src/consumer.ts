import type { Worker } from 'bullmq';
import { bullmq } from './bullmq.ts';
import { openWorkerConnection, type QueueOptions } from './connection.ts';
import {
  type DeliverJob,
  FAN_OUT_QUEUE,
  type FanOutJob,
  HAND_OVER_QUEUE,
  type HandOverJob,
  PROBE_QUEUE,
  type ProbeJob,
} from './jobs.ts';
import { deliverQueue, prefixOf } from './queues.ts';
import { type SlowEndpoints, showTaker } from './takers.ts';

/** A running consumer of one queue. */
export type Consumer = {
  /** Takes no more jobs, and resolves once the running ones have ended. It waits without a limit. */
  drain(): Promise<void>;
  /** Ends at once, without waiting for running jobs. The reconciler enqueues them again. */
  close(): Promise<void>;
};

export type ConsumerOptions<Job> = QueueOptions & {
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

const FETCHED_AHEAD = 10;

/** After a lost connection, work continues half a second later. With BullMQ's default it took 15 s. */
const RUN_AGAIN_MS = 500;

/**
 * Consumes fan-out jobs. A job whose worker died is run again once. After a second death it is dropped, because its
 * events may be the cause. The reconciler then enqueues the events again, and counts how often.
 */
export function consumeFanOut(options: ConsumerOptions<FanOutJob>): Consumer {
  return consume(FAN_OUT_QUEUE, { ...options, maxStalledCount: 1 });
}

/**
 * Consumes hand-over jobs, and tells the APIs so, and which endpoints are slow here. A job whose worker died is run again once. That is harmless: an offer
 * that has become a lease is not taken again. The reconciler finds the other deliveries.
 */
export function consumeHandOver(
  options: ConsumerOptions<HandOverJob> & { slowEndpoints: () => SlowEndpoints },
): Consumer {
  return consume(HAND_OVER_QUEUE, { ...options, maxStalledCount: 1 });
}

/**
 * Consumes the deliver jobs of one shard; of the first one by default. The claim makes repeated runs of a job harmless
 * and counts lost leases.
 */
export function consumeDeliver(options: ConsumerOptions<DeliverJob> & { shard?: number }): Consumer {
  return consume(deliverQueue(options.shard ?? 0), { ...options, maxStalledCount: 1_000 });
}

/**
 * The number of jobs of one shard that a process holds at once, of those that it may hold in all. Shards are not
 * equally busy, so each has twice its part. Jobs beyond the process's slots wait for a slot.
 */
export function shareOfShard(concurrency: number, shards: number): number {
  if (shards === 1) return concurrency;
  return Math.min(concurrency, Math.max(FETCHED_AHEAD, Math.ceil((2 * concurrency) / shards)));
}

/** Consumes probe jobs. A job whose worker died is dropped: its request may have been sent, and is never sent again. */
export function consumeProbes(options: ConsumerOptions<ProbeJob>): Consumer {
  return consume(PROBE_QUEUE, { ...options, maxStalledCount: 0 });
}

/** Redis was emptied after the id of the job was read, so the job has no data. The reconciler enqueues its row again. */
function isLost(data: unknown): boolean {
  return Object.keys(Object(data)).length === 0;
}

function consume<Job>(
  queue: string,
  options: ConsumerOptions<Job> & { maxStalledCount: number; slowEndpoints?: () => SlowEndpoints },
): Consumer {
  const connection = openWorkerConnection(options);
  const { slowEndpoints } = options;
  const shown = slowEndpoints && showTaker(connection, options.prefix, slowEndpoints);
  const { lockMs, everyMs } = options.takeOver ?? TAKE_OVER;
  const underWay = new Set<Promise<void>>();
  let worker: Worker<Job> | undefined;
  let ended = false;
  // BullMQ fetches jobs one by one up to its limit, and only then starts the first one: 200 round trips in which locks
  // are not renewed. So the limit is low after an idle time, and rises with each fetch. If it stayed low, jobs that end
  // together would not be replaced together, and each statement would have few rows.
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
    worker = new bullmq.Worker<Job>(queue, async ({ data }) => (isLost(data) ? undefined : handle(data)), {
      lockDuration: lockMs,
      stalledInterval: everyMs,
      runRetryDelay: RUN_AGAIN_MS,
      connection,
      prefix: prefixOf(queue, options.prefix, connection),
      concurrency: Math.min(options.concurrency, FETCHED_AHEAD),
      maxStalledCount: options.maxStalledCount,
      skipVersionCheck,
    });
    worker.on('error', options.onError);
    worker.on('failed', (_job, error) => options.onJobError(error));
  };
  // A worker learns from INFO whether it may wait for parts of a second. If Redis refuses INFO, a worker that asks for
  // it never begins. A worker that does not ask waits for whole seconds.
  const begin = () => {
    connection.info().then(
      () => open(false),
      (error: Error) => {
        if (error.name === 'ReplyError') open(true);
        else if (!ended) setTimeout(begin, RUN_AGAIN_MS).unref();
      },
    );
  };
  begin();
  return {
    async drain() {
      ended = true;
      shown?.stop();
      const closed = worker?.close();
      while (underWay.size > 0) await Promise.allSettled(underWay);
      // Without Redis no more jobs can arrive, but closing the worker would wait for the connection.
      if (connection.status === 'ready') await closed;
    },
    async close() {
      ended = true;
      shown?.stop();
      const closed = worker?.close(true);
      if (connection.status === 'ready') await closed;
      connection.disconnect();
    },
  };
}
