import type { JobsOptions, Queue } from 'bullmq';
import type { Depths } from '../producer.ts';
import { bullmq } from './bullmq.ts';
import type { QueueOptions, RedisConnection } from './connection.ts';
import { prefixOf } from './queues.ts';
import { type HasRoom, readDepths } from './room.ts';

/** Up to this many jobs, single calls are faster than building BullMQ's pipeline. */
const FEW = 4;

// `attempts: 1`, because the ledger schedules retries. Jobs are removed when they end, because a kept job would block
// its id.
export const JOB_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true };

export type Job<Data> = { name: string; data: Data; opts: JobsOptions };

/** Adds the jobs for which there is room. */
export async function addJobs<Data>({ open }: OpenQueue<Data>, jobs: Job<Data>[], hasRoom: HasRoom): Promise<void> {
  const queue = await open();
  const fitting = jobs.filter((job) => hasRoom(job.opts));
  if (fitting.length > FEW) await queue.addBulk(fitting);
  else await Promise.all(fitting.map(({ name, data, opts }) => queue.add(name, data, opts)));
}

export type OpenQueue<Data> = {
  open(): Promise<Queue<Data, void, string, Data, void, string>>;
  depths(): Promise<Depths>;
  /** The number of workers of this queue, from Redis' list of clients. */
  workers(): Promise<number>;
  close(): Promise<void>;
};

/**
 * A BullMQ queue waits endlessly for its connection to succeed for the first time, and never recovers if its first use
 * fails. So it is created once Redis answers, and created again after such a failure.
 */
export function createQueue<Data>(
  name: string,
  connection: RedisConnection,
  { prefix, onError }: Pick<QueueOptions, 'prefix' | 'onError'>,
): OpenQueue<Data> {
  let opened: Promise<Queue<Data, void, string, Data, void, string>> | undefined;
  const make = async () => {
    const queue = new bullmq.Queue<Data, void, string, Data, void, string>(name, {
      connection,
      prefix: prefixOf(name, prefix, connection),
      defaultJobOptions: JOB_OPTIONS,
      // Only the waits of a worker depend on the version. The check needs INFO, which a Redis may refuse.
      skipVersionCheck: true,
    });
    queue.on('error', onError);
    await queue.waitUntilReady();
    return queue;
  };
  const open = async () => {
    if (connection.status !== 'ready') throw new Error('Redis is not connected');
    opened ??= make().catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    open,
    depths: async () => readDepths(await open()),
    workers: async () => (await open()).getWorkersCount(),
    async close() {
      await opened?.then((queue) => queue.close());
    },
  };
}
