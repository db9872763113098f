import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { openProducerConnection, redisAnswers } from './connection.ts';
import { DELIVER_QUEUE, type DeliverJob, type DeliveryTicket, deliverJobId } from './deliver-job.ts';
import { FAN_OUT_QUEUE, type FanOutJob } from './fan-out-job.ts';

/** Rings the bell: tells dispatchers that rows want a look. Nothing is lost when it cannot: the sweep rings again. */
export type Producer = {
  ringFanOut(eventIds: string[]): Promise<void>;
  ringDeliveries(tickets: DeliveryTicket[]): Promise<void>;
  /** Jobs that wait or are delayed, by queue, right now. */
  depths(): Promise<{ fanOut: number; deliver: number; deliverWaiting: number }>;
  redisAnswers(withinMs: number): Promise<boolean>;
  close(): Promise<void>;
};

export type ProducerOptions = {
  redisUrl: string;
  prefix: string;
  onError: (error: Error) => void;
  monotonicMs: () => number;
};

/**
 * Tickets are rung only while a queue holds fewer than this: each costs Redis about 800 bytes, and what is not rung
 * waits in Postgres for the sweep.
 */
const MOST_JOBS = 50_000;
/** How old the knowledge of a queue's length may be. */
const DEPTH_AGE_MS = 500;

// `attempts: 1`: retries are ours. Jobs leave nothing behind, or their ids could not be used again.
const JOB_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** Opens the producer's own connection; every call fails at once while Redis is away. */
export function createProducer(options: ProducerOptions): Producer {
  const connection = openProducerConnection(options);
  const fanOut = createQueue<FanOutJob>(FAN_OUT_QUEUE, connection, options);
  const deliver = createQueue<DeliverJob>(DELIVER_QUEUE, connection, options);
  const fanOutHasRoom = createRoomCheck(fanOut.open, options.monotonicMs);
  const deliverHasRoom = createRoomCheck(deliver.open, options.monotonicMs);

  return {
    async ringFanOut(eventIds) {
      if (eventIds.length === 0 || !(await fanOutHasRoom())) return;
      await (await fanOut.open()).add('fan-out', { eventIds });
    },
    async ringDeliveries(tickets) {
      if (tickets.length === 0 || !(await deliverHasRoom())) return;
      const queue = await deliver.open();
      await queue.addBulk(
        tickets.map((ticket) => ({
          name: 'deliver',
          data: toJob(ticket),
          opts: { ...JOB_OPTIONS, jobId: deliverJobId(ticket), delay: ticket.delayMs },
        })),
      );
    },
    async depths() {
      const [fanOutQueue, deliverQueue] = await Promise.all([fanOut.open(), deliver.open()]);
      const [fanOuts, waiting, delayed] = await Promise.all([
        fanOutQueue.getJobCountByTypes('wait', 'delayed'),
        deliverQueue.getJobCountByTypes('wait'),
        deliverQueue.getJobCountByTypes('delayed'),
      ]);
      return { fanOut: fanOuts, deliver: waiting + delayed, deliverWaiting: waiting };
    },
    redisAnswers: (withinMs) => redisAnswers(connection, withinMs),
    async close() {
      await Promise.all([fanOut.close(), deliver.close()]);
      connection.disconnect();
    },
  };
}

function toJob({ deliveryId, eventId, alone = false }: DeliveryTicket): DeliverJob {
  return { deliveryId, eventId, ...(alone ? { alone } : {}) };
}

/**
 * A queue of BullMQ waits for its connection's first success without end, and never recovers from a first use that
 * failed: it is made once Redis is there, and made anew after such a failure.
 */
function createQueue<Job>(name: string, connection: Redis, { prefix, onError }: ProducerOptions) {
  let opened: Promise<Queue<Job>> | undefined;
  const make = async () => {
    const queue = new Queue<Job>(name, { connection, prefix, defaultJobOptions: JOB_OPTIONS });
    queue.on('error', onError);
    await queue.waitUntilReady();
    return queue;
  };
  return {
    async open(): Promise<Queue<Job>> {
      if (connection.status !== 'ready') throw new Error('Redis is not connected');
      opened ??= make().catch((error) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    async close(): Promise<void> {
      await opened?.then((queue) => queue.close());
    },
  };
}

/** Asks at most every half second, and lets the first caller's answer serve the others. */
function createRoomCheck(open: () => Promise<Queue>, monotonicMs: () => number): () => Promise<boolean> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<boolean> = Promise.resolve(true);
  return () => {
    const now = monotonicMs();
    if (now - askedAt >= DEPTH_AGE_MS) {
      askedAt = now;
      answer = open()
        .then((queue) => queue.getJobCountByTypes('wait', 'delayed'))
        .then((count) => count < MOST_JOBS);
      answer.catch(() => {
        askedAt = Number.NEGATIVE_INFINITY;
      });
    }
    return answer;
  };
}
