import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { openProducerConnection } from './connection.ts';
import { DELIVER_QUEUE, type DeliverJob, type DeliveryTicket, deliverJobId } from './deliver-job.ts';
import { FAN_OUT_QUEUE, type FanOutJob, type FanOutTicket } from './fan-out-job.ts';
import { createRingPriority } from './ring-priority.ts';

/** Rings the bell: tells dispatchers that rows want a look. Nothing is lost when it cannot: the sweep rings again. */
export type Producer = {
  /** One job for all, save what a flooding workspace sent over its share. */
  ringFanOut(events: FanOutTicket[]): Promise<void>;
  ringDeliveries(tickets: DeliveryTicket[]): Promise<void>;
  /** Rings those of which no ticket lives, and answers how many: to ask costs an eighth of ringing. */
  ringLostDeliveries(tickets: DeliveryTicket[]): Promise<number>;
  /** Jobs that wait or are delayed, by queue, right now. */
  depths(): Promise<{ fanOut: number; deliver: number; deliverWaiting: number }>;
  /** Whether it is this ringer's turn to sweep: true for one of all, then for nobody until the time is over. */
  takeSweepTurn(forMs: number): Promise<boolean>;
  /** Ends the turn before its time: there is more to sweep. */
  endSweepTurn(): Promise<void>;
  /**
   * Resolves once Redis has taken a small write: one that is full or a replica answers, but cannot be worked with. It
   * has no time limit of its own.
   */
  ping(): Promise<void>;
  /** Told each time that Redis can be reached, at first and again: what was not rung meanwhile stands overdue. */
  onReachable(listener: () => void): void;
  /** Whether an operator has paused the queue: then nobody gets its jobs. */
  isPaused(queue: 'fanOut' | 'deliver'): Promise<boolean>;
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
/** What floods may fill of it: the rest is kept for what is within its share. */
const MOST_FLOODING_JOBS = 40_000;
/** Later due times are counted apart, so that a dead endpoint's do not keep out what is due now. */
const MOST_DELAYED_JOBS = 20_000;
/** How old the knowledge of a queue's length may be. */
const DEPTH_AGE_MS = 500;
const PING_KEPT_MS = 60_000;
const FEW = 4;

// `attempts: 1`: retries are ours. Jobs leave nothing behind, or their ids could not be used again.
const WAITING = ['wait', 'prioritized'] as const;
const JOB_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** Opens the producer's own connection; every call fails at once while Redis is away. */
export function createProducer(options: ProducerOptions): Producer {
  const connection = openProducerConnection(options);
  const fanOut = createQueue<FanOutJob>(FAN_OUT_QUEUE, connection, options);
  const deliver = createQueue<DeliverJob>(DELIVER_QUEUE, connection, options);
  const fanOutHasRoom = createRoomCheck(fanOut.open, options.monotonicMs);
  const deliverHasRoom = createRoomCheck(deliver.open, options.monotonicMs);

  const priority = createRingPriority(options.monotonicMs);
  const sweepTurn = `${options.prefix}:sweep-turn`;

  const ringDeliveries = async (tickets: DeliveryTicket[]) => {
    if (tickets.length === 0) return;
    const room = await deliverHasRoom();
    const jobs = tickets.map((ticket) => toDeliverJob(ticket, priority.ofDelivery(ticket)));
    await addJobs(
      deliver,
      jobs.filter((job) => room(job.opts)),
    );
  };

  return {
    async ringFanOut(events) {
      if (events.length === 0) return;
      const jobs = fanOutJobs(events, priority.ofEvent);
      const room = await fanOutHasRoom();
      await addJobs(
        fanOut,
        jobs.filter((job) => room(job.opts)),
      );
    },
    ringDeliveries,
    async ringLostDeliveries(tickets) {
      const queue = await deliver.open();
      const asked = connection.pipeline();
      for (const ticket of tickets) asked.exists(queue.toKey(deliverJobId(ticket)));
      const alive = await asked.exec();
      // Where Redis gave no answer, ringing will say why.
      const lost = tickets.filter((_ticket, index) => alive?.[index]?.[1] !== 1);
      await ringDeliveries(lost);
      return lost.length;
    },
    async depths() {
      const [fanOutQueue, deliverQueue] = await Promise.all([fanOut.open(), deliver.open()]);
      const [fanOuts, waiting, delayed] = await Promise.all([
        fanOutQueue.getJobCountByTypes(...WAITING, 'delayed'),
        deliverQueue.getJobCountByTypes(...WAITING),
        deliverQueue.getJobCountByTypes('delayed'),
      ]);
      return { fanOut: fanOuts, deliver: waiting + delayed, deliverWaiting: waiting };
    },
    takeSweepTurn: async (forMs) => (await connection.set(sweepTurn, 1, 'PX', forMs, 'NX')) === 'OK',
    async endSweepTurn() {
      await connection.del(sweepTurn);
    },
    async ping() {
      await connection.set(`${options.prefix}:ping`, 1, 'PX', PING_KEPT_MS);
    },
    onReachable: (listener) => void connection.on('ready', listener),
    isPaused: async (queue) => (await { fanOut, deliver }[queue].open()).isPaused(),
    async close() {
      await Promise.all([fanOut.close(), deliver.close()]);
      connection.disconnect();
    },
  };
}

type OpenQueue<Data> = { open(): Promise<Queue<Data, void, string, Data, void, string>> };

/** A few go one by one: the pipeline that takes many together is longer in the making than they are. */
async function addJobs<Data>({ open }: OpenQueue<Data>, jobs: { name: string; data: Data; opts: JobsOptions }[]) {
  const queue = await open();
  if (jobs.length > FEW) await queue.addBulk(jobs);
  else await Promise.all(jobs.map(({ name, data, opts }) => queue.add(name, data, opts)));
}

function toDeliverJob(ticket: DeliveryTicket, priority: number) {
  const { generation, delayMs, round, first, ...data } = ticket;
  const jobId = deliverJobId(ticket);
  const place = first ? { lifo: true } : placed(priority);
  return { name: 'deliver', data, opts: { ...JOB_OPTIONS, jobId, delay: delayMs, ...place } };
}

/** Events within their workspace's share go together; what is over it goes in jobs of its own, further back. */
function fanOutJobs(events: FanOutTicket[], priorityOf: (event: FanOutTicket) => number) {
  const byPriority = new Map<number, string[]>();
  for (const event of events) {
    const priority = priorityOf(event);
    byPriority.set(priority, [...(byPriority.get(priority) ?? []), event.eventId]);
  }
  return [...byPriority].map(([priority, eventIds]) => ({
    name: 'fan-out',
    data: { eventIds },
    opts: placed(priority),
  }));
}

/** BullMQ takes jobs without a priority before all others. */
function placed(priority: number): { priority?: number } {
  return priority === 0 ? {} : { priority };
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

/** Whether a job finds room. Asks at most every half second; the first caller's answer serves others. */
function createRoomCheck(open: () => Promise<Queue>, monotonicMs: () => number) {
  type Room = (job: { priority?: number; delay?: number }) => boolean;
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<Room> = Promise.resolve(() => true);
  return (): Promise<Room> => {
    const now = monotonicMs();
    if (now - askedAt >= DEPTH_AGE_MS) {
      askedAt = now;
      answer = open()
        .then((queue) => Promise.all([queue.getJobCountByTypes(...WAITING), queue.getJobCountByTypes('delayed')]))
        .then(([waiting, delayed]) => (job) => {
          if (job.delay) return delayed < MOST_DELAYED_JOBS;
          return waiting < (job.priority ? MOST_FLOODING_JOBS : MOST_JOBS);
        });
      answer.catch(() => {
        askedAt = Number.NEGATIVE_INFINITY;
      });
    }
    return answer;
  };
}
