import type { Worker } from 'bullmq';
import { type Consumer, type ConsumerOptions as Options, TAKE_OVER } from '../consumer.ts';
import {
  type DeliverJob,
  FAN_OUT_QUEUE,
  type FanOutJob,
  HAND_OVER_QUEUE,
  type HandOverJob,
  PROBE_QUEUE,
  type ProbeJob,
} from '../jobs.ts';
import { FETCHED_AHEAD } from '../shards.ts';
import type { SlowEndpoints } from '../takers.ts';
import { bullmq } from './bullmq.ts';
import { openWorkerConnection, type QueueOptions } from './connection.ts';
import { deliverQueue, prefixOf } from './queues.ts';
import { showTaker } from './takers.ts';

type ConsumerOptions<Job> = QueueOptions & Options<Job>;

/** After a lost connection, work continues half a second later. With BullMQ's default it took 15 s. */
const RUN_AGAIN_MS = 500;

export function consumeFanOut(options: ConsumerOptions<FanOutJob>): Consumer {
  return consume(FAN_OUT_QUEUE, { ...options, maxStalledCount: 1 });
}

export function consumeHandOver(
  options: ConsumerOptions<HandOverJob> & { slowEndpoints: () => SlowEndpoints },
): Consumer {
  return consume(HAND_OVER_QUEUE, { ...options, maxStalledCount: 1 });
}

export function consumeDeliver(options: ConsumerOptions<DeliverJob> & { shard?: number }): Consumer {
  return consume(deliverQueue(options.shard ?? 0), { ...options, maxStalledCount: 1_000 });
}

export function consumeProbes(options: ConsumerOptions<ProbeJob>): Consumer {
  return consume(PROBE_QUEUE, { ...options, maxStalledCount: 0 });
}

/** Redis was emptied after the job's id was read, so the job has no data. The reconciler enqueues its row again. */
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
  // A worker learns from INFO whether it may wait for fractions of a second. If Redis refuses INFO, a worker that asks
  // for it never begins. A worker that does not ask waits for whole seconds.
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
