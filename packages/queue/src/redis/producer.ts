import type { Result } from 'ioredis';
import { inParts } from '../fan-out-jobs.ts';
import {
  type DeliverJob,
  type DeliverRequest,
  FAN_OUT_QUEUE,
  type FanOutJob,
  type FanOutRequest,
  HAND_OVER_QUEUE,
  type HandOverJob,
  type HandOverRequest,
} from '../jobs.ts';
import type { OverdueDelivery, Producer, QueueName } from '../producer.ts';
import { MAX_SHARDS, shardOf } from '../shards.ts';
import { openProducerConnection, type QueueOptions, type RedisConnection } from './connection.ts';
import { addJobs, createQueue, JOB_OPTIONS, type Job, type OpenQueue } from './open-queue.ts';
import { createPriority, LEAST_URGENT } from './priority.ts';
import { deliverQueue, deliverQueues, prefixOf } from './queues.ts';
import { createRoomCheck, DELIVER_ROOM, FAN_OUT_ROOM, type HasRoom } from './room.ts';
import { watchTakers } from './takers.ts';

export type ProducerOptions = QueueOptions & {
  /** The number of queues of deliver jobs; 1 by default. */
  shards?: number;
  monotonicMs: () => number;
};

const PING_KEPT_MS = 60_000;
/** Below this depth, an overdue row has no live job: it was lost, or its worker died. */
const IDLE_DEPTH = 100;
/** The round of a job that replaces a job whose delay is too long. There is one such round for each generation. */
const EARLIER = 0;
/** A delayed job that is due within this time is live, because it will run by itself. */
const SOON_MS = 5_000;

/** Opens the producer's own connection. */
export function createProducer(options: ProducerOptions): Producer {
  const { monotonicMs, prefix } = options;
  const connection = openProducerConnection(options);
  connection.defineCommand('jobStates', { lua: JOB_STATES });
  connection.defineCommand('takeTurn', { numberOfKeys: 1, lua: TAKE_TURN });
  const fanOut = createQueue<FanOutJob>(FAN_OUT_QUEUE, connection, options);
  const shards = deliverQueues(options.shards ?? 1).map((name): Shard => {
    const queue = createQueue<DeliverJob>(name, connection, options);
    return { ...queue, room: createRoomCheck(queue.depths, DELIVER_ROOM, monotonicMs) };
  });
  const fanOutRoom = createRoomCheck(fanOut.depths, FAN_OUT_ROOM, monotonicMs);
  const handOver = createQueue<HandOverJob>(HAND_OVER_QUEUE, connection, options);
  const handOverRoom = createRoomCheck(handOver.depths, FAN_OUT_ROOM, monotonicMs);
  const takers = watchTakers({
    connection,
    prefix,
    readWaiting: async () => (await handOver.depths()).waiting,
    // Every dispatcher fans events out, so this finds dispatchers that take no hand-overs.
    readOthers: async () => (await fanOut.workers()) > (await handOver.workers()),
    monotonicMs,
  });
  const priority = createPriority(monotonicMs);
  const turn = `${prefix}:reconciler-turn`;

  const queueOf = (queue: QueueName, shard = 0) => {
    const found = queue === 'handOver' ? handOver : queue === 'fanOut' ? fanOut : shards[shard];
    if (found === undefined) throw new Error(`there is no shard ${shard}`);
    return found;
  };
  const addDeliveries = async (shard: Shard, deliveries: readonly DeliverRequest[]) => {
    const jobs = deliveries.map((delivery) => toDeliverJob(delivery, priority.ofDelivery(delivery)));
    await addJobs(shard, jobs, await shard.room());
  };
  return {
    kind: 'redis',
    async enqueueFanOut(events) {
      if (events.length === 0) return;
      await addJobs(fanOut, toFanOutJobs(events, priority.ofEvent), await fanOutRoom());
    },
    async enqueueDeliveries(deliveries) {
      await inShards(shards, deliveries, addDeliveries);
    },
    async handOver(events, leaseToken) {
      if (events.length === 0) return;
      await addJobs(handOver, toHandOverJobs(events, leaseToken, priority.ofEvent), await handOverRoom());
    },
    takers: takers.state,
    slowMs: takers.slowMs,
    async enqueueOverdue(deliveries) {
      const added = await inShards(shards, deliveries, async (shard, part) => {
        const { waiting } = await shard.depths();
        const lost = await findLost(connection, await shard.open(), part, waiting < IDLE_DEPTH);
        await addDeliveries(shard, lost);
        return lost.length;
      });
      return sum(added);
    },
    async depths() {
      const [ofFanOut, ...ofShards] = await Promise.all([fanOut.depths(), ...shards.map((shard) => shard.depths())]);
      const waiting = sum(ofShards.map((depths) => depths.waiting));
      return { fanOut: ofFanOut, deliver: { waiting, delayed: sum(ofShards.map(({ delayed }) => delayed)) } };
    },
    takeReconcilerTurn: async (forMs) => (await connection.takeTurn(turn, forMs)) === 1,
    async shortenReconcilerTurn(toMs) {
      await connection.pexpire(turn, toMs);
    },
    async ping() {
      await connection.set(`${prefix}:ping`, 1, 'PX', PING_KEPT_MS);
    },
    onReachable(listener) {
      connection.on('ready', listener);
      if (connection.status === 'ready') listener();
    },
    formerShards: () => findFormerShards(connection, prefix, shards.length),
    waiting: async (queue, shard) => (await queueOf(queue, shard).depths()).waiting,
    isPaused: async (queue, shard) => (await queueOf(queue, shard).open()).isPaused(),
    async setPaused(queue, isPaused) {
      // New deliveries have a queue of their own.
      const queues = queue === 'fan-out' ? [fanOut] : [handOver, ...shards];
      const opened = await Promise.all(queues.map((one) => one.open()));
      await Promise.all(opened.map((one) => (isPaused ? one.pause() : one.resume())));
    },
    async close() {
      takers.stop();
      await Promise.all([fanOut, handOver, ...shards].map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}

/** The keys of a queue that hold its jobs. */
const HOLDING = ['wait', 'prioritized', 'delayed', 'active'];

async function findFormerShards(connection: RedisConnection, prefix: string, shards: number): Promise<number[]> {
  const isLeft = async (shard: number) => {
    const queue = deliverQueue(shard);
    const keys = HOLDING.map((kind) => `${prefixOf(queue, prefix, connection)}:${queue}:${kind}`);
    return (await connection.exists(...keys)) > 0;
  };
  const beyond = Array.from({ length: MAX_SHARDS - shards }, (_, n) => shards + n);
  const left = await Promise.all(beyond.map(isLeft));
  return beyond.filter((_, n) => left[n]);
}

type Shard = OpenQueue<DeliverJob> & { room: () => Promise<HasRoom> };

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/**
 * Calls the function for each shard with its part of the deliveries. If it fails for a shard, the other shards still
 * get their part, and the error is thrown afterwards.
 */
async function inShards<Delivery extends DeliverRequest, Result>(
  shards: readonly Shard[],
  deliveries: readonly Delivery[],
  act: (shard: Shard, part: readonly Delivery[]) => Promise<Result>,
): Promise<Result[]> {
  const parts = shards.map((): Delivery[] => []);
  for (const delivery of deliveries) parts[shardOf(delivery.endpointId, shards.length)]?.push(delivery);
  const acts = shards.flatMap((shard, index) => {
    const part = parts[index] ?? [];
    return part.length === 0 ? [] : [act(shard, part)];
  });
  const ends = await Promise.allSettled(acts);
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}

/**
 * BullMQ ignores a second job of the same id while the first exists. Ids must contain no colon, and not consist only of
 * digits.
 */
export function deliverJobId({ deliveryId, generation, round }: DeliverRequest): string {
  return round === undefined ? `${deliveryId}-${generation}` : `${deliveryId}-${generation}-${round}`;
}

function toDeliverJob(delivery: DeliverRequest, priority: number): Job<DeliverJob> {
  const { generation: _generation, delayMs, round: _round, ...data } = delivery;
  const position = delivery.mode === 'expired_lease' ? { lifo: true } : priorityOption(priority);
  return {
    name: 'deliver',
    data,
    opts: { ...JOB_OPTIONS, jobId: deliverJobId(delivery), delay: delayMs, ...position },
  };
}

/** About 8 kB in Redis, and one statement for the dispatcher that takes it. */
const HANDED_OVER_AT_ONCE = 50;

function toHandOverJobs(
  events: readonly HandOverRequest[],
  leaseToken: string | undefined,
  priorityOf: (event: HandOverRequest) => number,
): Job<HandOverJob>[] {
  const byPriority = new Map<number, HandOverJob['deliveries']>();
  for (const event of events) {
    const priority = priorityOf(event);
    const others = byPriority.get(priority);
    if (others === undefined) byPriority.set(priority, [...event.deliveries]);
    else others.push(...event.deliveries);
  }
  const lease = leaseToken === undefined ? {} : { leaseToken };
  return [...byPriority].flatMap(([priority, deliveries]) => {
    const jobs: Job<HandOverJob>[] = [];
    for (let start = 0; start < deliveries.length; start += HANDED_OVER_AT_ONCE) {
      const data = { deliveries: deliveries.slice(start, start + HANDED_OVER_AT_ONCE), ...lease };
      // A delivery is handed over once. After a cut connection ioredis resends the command, but then the job already
      // exists.
      const jobId = `hand-over-${data.deliveries[0]?.deliveryId}`;
      jobs.push({ name: 'hand-over', data, opts: { ...JOB_OPTIONS, jobId, ...priorityOption(priority) } });
    }
    return jobs;
  });
}

function toFanOutJobs(events: FanOutRequest[], priorityOf: (event: FanOutRequest) => number): Job<FanOutJob>[] {
  const shared = new Map<string, { priority: number; mode?: 'suspect'; group: FanOutRequest[] }>();
  const isolated: Job<FanOutJob>[] = [];
  for (const event of events) {
    if (event.mode === 'isolated') {
      const opts = { ...JOB_OPTIONS, jobId: `isolated-${event.eventId}`, ...priorityOption(LEAST_URGENT) };
      isolated.push({ name: 'fan-out', data: { groups: inParts([event]).flat(), mode: 'isolated' }, opts });
      continue;
    }
    const { mode } = event;
    const priority = priorityOf(event);
    const key = `${priority} ${mode ?? ''}`;
    const others = shared.get(key);
    if (others !== undefined) others.group.push(event);
    else shared.set(key, { priority, ...(mode === undefined ? {} : { mode }), group: [event] });
  }
  const together = [...shared.values()].flatMap(({ priority, group, ...mode }) => {
    const flood = priority === 0 ? {} : ({ isOfFlood: true } as const);
    return inParts(group).map((groups) => ({
      name: 'fan-out',
      data: { groups, ...mode, ...flood },
      opts: { ...JOB_OPTIONS, ...priorityOption(priority) },
    }));
  });
  return [...together, ...isolated];
}

/** Sets no priority option for 0, because BullMQ takes jobs without a priority before all others. */
function priorityOption(priority: number): { priority?: number } {
  return priority === 0 ? {} : { priority };
}

/** For each id: 0 without a job, 1 with a live job, 2 with a job that is delayed beyond the limit in milliseconds. */
const JOB_STATES = `
local time = redis.call('TIME')
local limit = (time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])) * 4096
local states = {}
for index = 2, #KEYS do
  local state = redis.call('EXISTS', KEYS[index])
  if state == 1 then
    local score = redis.call('ZSCORE', KEYS[1], ARGV[index])
    if score and tonumber(score) > limit then state = 2 end
  end
  states[index - 1] = state
end
return states`;

/** Takes a turn that nobody has. A turn that would last longer than this is from before the clock was set back. */
const TAKE_TURN = `
local left = redis.call('PTTL', KEYS[1])
if left >= 0 and left <= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
return 1`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeTurn(key: string, forMs: number): Result<0 | 1, Context>;
    jobStates(...given: (string | number)[]): Result<number[], Context>;
  }
}

/** The deliveries to enqueue, each under an id that no job has yet. */
async function findLost(
  connection: RedisConnection,
  queue: { toKey(type: string): string },
  deliveries: readonly OverdueDelivery[],
  isIdle: boolean,
): Promise<DeliverRequest[]> {
  const asked = deliveries.map(
    ({ round, ...delivery }): DeliverRequest => (isIdle ? { ...delivery, round } : delivery),
  );
  const ids = asked.map(deliverJobId);
  const keys = [queue.toKey('delayed'), ...ids.map((id) => queue.toKey(id))];
  const states = await connection.jobStates(keys.length, ...keys, SOON_MS, ...ids);
  return asked.flatMap((delivery, index) => {
    if (states[index] === 1) return [];
    return states[index] === 2 ? [{ ...delivery, round: EARLIER }] : [delivery];
  });
}
