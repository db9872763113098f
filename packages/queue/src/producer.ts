import { Queue } from 'bullmq';
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
  const settings = { connection, prefix: options.prefix, defaultJobOptions: JOB_OPTIONS };
  const fanOutQueue = new Queue<FanOutJob>(FAN_OUT_QUEUE, settings);
  const deliverQueue = new Queue<DeliverJob>(DELIVER_QUEUE, settings);
  for (const queue of [fanOutQueue, deliverQueue]) queue.on('error', options.onError);
  const fanOutHasRoom = createRoomCheck(fanOutQueue, options.monotonicMs);
  const deliverHasRoom = createRoomCheck(deliverQueue, options.monotonicMs);

  return {
    async ringFanOut(eventIds) {
      if (eventIds.length > 0 && (await fanOutHasRoom())) await fanOutQueue.add('fan-out', { eventIds });
    },
    async ringDeliveries(tickets) {
      if (tickets.length === 0 || !(await deliverHasRoom())) return;
      await deliverQueue.addBulk(
        tickets.map((ticket) => ({
          name: 'deliver',
          data: toJob(ticket),
          opts: { ...JOB_OPTIONS, jobId: deliverJobId(ticket), delay: ticket.delayMs },
        })),
      );
    },
    async depths() {
      const [fanOut, waiting, delayed] = await Promise.all([
        fanOutQueue.getJobCountByTypes('wait', 'delayed'),
        deliverQueue.getJobCountByTypes('wait'),
        deliverQueue.getJobCountByTypes('delayed'),
      ]);
      return { fanOut, deliver: waiting + delayed, deliverWaiting: waiting };
    },
    redisAnswers: (withinMs) => redisAnswers(connection, withinMs),
    async close() {
      await Promise.all([fanOutQueue.close(), deliverQueue.close()]);
      connection.disconnect();
    },
  };
}

function toJob({ deliveryId, eventId, alone = false }: DeliveryTicket): DeliverJob {
  return { deliveryId, eventId, ...(alone ? { alone } : {}) };
}

/** Asks at most every half second, and lets the first caller's answer serve the others. */
function createRoomCheck(queue: Queue, monotonicMs: () => number): () => Promise<boolean> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<boolean> = Promise.resolve(true);
  return () => {
    const now = monotonicMs();
    if (now - askedAt >= DEPTH_AGE_MS) {
      askedAt = now;
      answer = queue.getJobCountByTypes('wait', 'delayed').then((count) => count < MOST_JOBS);
      answer.catch(() => {
        askedAt = Number.NEGATIVE_INFINITY;
      });
    }
    return answer;
  };
}
