import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Cluster, type Redis, type Result } from 'ioredis';
import type { LiveBatch, LivePublisher, LiveSubscriber, LiveSubscriberOptions } from '../live.ts';
import {
  BEAT_ROUNDS,
  createGathering,
  EVERY_MS,
  type Gathered,
  isEmpty,
  nothingGathered,
  STREAM_LEASE_MS,
  SWEEP_EVERY_MS,
} from '../live-batch.ts';
import { createBatchNumbers, type Place } from '../live-numbers.ts';
import {
  openListener,
  openProducerConnection,
  type QueueOptions,
  type RedisConnection,
  subscribe,
} from './connection.ts';

const PING_EVERY_MS = 10_000;
/** How long closing a publisher waits for its last changes to be sent. */
const CLOSES_WITHIN_MS = 1_000;

const channelOf = (prefix: string, workspaceId: string) => `${prefix}:live:${workspaceId}`;

/**
 * Opens its own connection. While Redis is away, changes are neither sent nor kept, and afterwards every listened
 * workspace hears that some were dropped. `close` sends what is left. A workspace's batches are numbered, so that a
 * listener notices missing batches, and the end of a killed process.
 */
export function createLivePublisher(options: QueueOptions): LivePublisher {
  const connection = openProducerConnection(options);
  const channelStart = channelOf(options.prefix, '');
  const publisherId = randomUUID();
  /** For each listened workspace: the number of its last batch, and the rounds since then. */
  let listened = new Map<string, { number: number; rounds: number }>();
  const gathering = createGathering((workspaceId) => listened.has(workspaceId));
  /** Whether a round has failed since the last one that succeeded, so that its changes are lost. */
  let hasFailed = false;
  /** Before its first round, a process has sent nothing, so nothing can be missing. */
  let hasBegun = false;
  const send = (workspaceId: string, batch: Gathered, isLast: boolean) => {
    const number = (listened.get(workspaceId)?.number ?? 0) + 1;
    listened.set(workspaceId, { number, rounds: 0 });
    const message = toMessage(batch, { publisherId, number, isLast });
    return connection.publish(channelStart + workspaceId, JSON.stringify(message));
  };
  const round = async (isLast = false) => {
    const batches = gathering.end();
    const sent = [...listened].flatMap(([workspaceId, last]) => {
      last.rounds += 1;
      const batch = batches.get(workspaceId) ?? (isLast || last.rounds >= BEAT_ROUNDS ? nothingGathered() : undefined);
      return batch === undefined ? [] : [send(workspaceId, batch, isLast)];
    });
    const [channels] = await Promise.all([readChannels(connection, `${channelStart}*`), ...sent]);
    const ids = channels.map((channel) => channel.slice(channelStart.length));
    // A new listener gets a batch from this process in the next round.
    listened = new Map(ids.map((id) => [id, listened.get(id) ?? { number: 0, rounds: BEAT_ROUNDS }]));
    hasBegun = true;
    if (!hasFailed) return;
    hasFailed = false;
    for (const workspaceId of listened.keys()) {
      const batch = gathering.of(workspaceId);
      if (batch !== undefined) batch.dropped = null;
    }
  };
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= round()
      // The connection reports its own errors.
      .catch(() => {
        hasFailed = hasBegun;
        listened.clear();
      })
      .finally(() => {
        running = undefined;
      });
  }, EVERY_MS);
  timer.unref();
  return {
    ...gathering.taker,
    async close() {
      clearInterval(timer);
      // If Redis cannot be reached, the last changes are lost.
      const last = Promise.resolve(running)
        .then(() => round(true))
        .catch(() => undefined);
      await Promise.race([last, delay(CLOSES_WITHIN_MS, undefined, { ref: false })]);
      connection.disconnect();
    },
  };
}

/** The channels that have a listener. Each node of a Cluster knows only those of its own connections. */
async function readChannels(connection: RedisConnection, pattern: string): Promise<string[]> {
  if (!(connection instanceof Cluster)) return (await connection.pubsub('CHANNELS', pattern)).map(String);
  const asked = await Promise.allSettled(connection.nodes().map((node) => node.pubsub('CHANNELS', pattern)));
  return asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.map(String) : []));
}

/**
 * `d` and `e`: deliveries and events; `x`: the dropped changes; `p` and `n`: the publisher and the number; `z`: whether
 * it is the publisher's last batch.
 */
type Message = {
  d: [deliveryId: string, endpointId: string][];
  e: string[];
  x: number | null;
  p: string;
  n: number;
  z: boolean;
};

function toMessage({ deliveries, eventIds, dropped }: Gathered, { publisherId, number, isLast }: Place): Message {
  return { d: [...deliveries], e: eventIds, x: dropped, p: publisherId, n: number, z: isLast };
}

/**
 * Streams with the ends of their leases, by Redis' clock. A stream that is already held stays held. An end that is
 * further ahead than a lease comes from a clock that was set back.
 */
const TAKE_STREAM = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. (now + tonumber(ARGV[3])), '+inf')
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[1])
redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[3]) + 60000)
return 1`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeStream(key: string, streamId: string, most: number, leaseMs: number): Result<0 | 1, Context>;
  }
}

/** Opens two connections: one that listens, and one for commands. */
export function createLiveSubscriber(options: QueueOptions & LiveSubscriberOptions): LiveSubscriber {
  const { prefix, onBatch, onReconnected, onError } = options;
  const commands = openProducerConnection(options);
  commands.defineCommand('takeStream', { numberOfKeys: 1, lua: TAKE_STREAM });
  const listener = openListener(options);
  const channelStart = channelOf(prefix, '');
  const numbers = createBatchNumbers();
  listener.on('message', (channel: string, text: string) => {
    const batch = toBatch(channel.slice(channelStart.length), text);
    // An error thrown in this listener would end the process.
    if (batch === undefined) return;
    const { place, ...changes } = batch;
    const isMissing = place !== undefined && numbers.take(changes.workspaceId, place);
    if (isMissing || !isEmpty(changes)) onBatch(isMissing ? { ...changes, dropped: null } : changes);
  });
  onLaterReady(listener, () => {
    numbers.forgetAll();
    onReconnected();
  });
  const sweeping = setInterval(() => {
    for (const workspaceId of numbers.sweep()) onBatch({ workspaceId, deliveries: [], eventIds: [], dropped: null });
  }, SWEEP_EVERY_MS);
  sweeping.unref();
  // Without messages, an answer to a ping is the only sign that the connection is alive.
  const pinging = setInterval(() => void listener.ping().catch(onError), PING_EVERY_MS);
  pinging.unref();
  const streamsOf = (holderId: string) => `${prefix}:streams:${holderId}`;
  return {
    async subscribe(workspaceId) {
      await subscribe(listener, channelStart + workspaceId);
      // Each process learns of the subscription within two rounds. This waits for them one by one: after a pause of
      // this process, a single longer wait might end before its next round.
      for (let round = 0; round < 2; round += 1) await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    },
    unsubscribe(workspaceId) {
      numbers.forget(workspaceId);
      listener.unsubscribe(channelStart + workspaceId).catch(onError);
    },
    takeStream: async (holderId, streamId, most) =>
      (await commands.takeStream(streamsOf(holderId), streamId, most, STREAM_LEASE_MS)) === 1,
    releaseStream(holderId, streamId) {
      // A stream that cannot be released becomes free when its lease ends.
      commands.zrem(streamsOf(holderId), streamId).catch(onError);
    },
    close() {
      clearInterval(pinging);
      clearInterval(sweeping);
      listener.disconnect();
      commands.disconnect();
    },
  };
}

function onLaterReady(connection: Redis, listener: () => void): void {
  connection.once('ready', () => connection.on('ready', listener));
}

/**
 * Reads a batch; undefined for any other text, from another program or another version. Before 0.3.0, batches had no
 * numbers.
 */
function toBatch(workspaceId: string, text: string): (LiveBatch & { place?: Place }) | undefined {
  try {
    const { d, e, x, p, n, z } = JSON.parse(text) as Omit<Message, 'p' | 'n' | 'z'> & Partial<Message>;
    const deliveries = d.map(([deliveryId, endpointId]) => ({ deliveryId, endpointId }));
    const batch = { workspaceId, deliveries, eventIds: [...e], dropped: x };
    return p === undefined || n === undefined
      ? batch
      : { ...batch, place: { publisherId: p, number: n, isLast: z === true } };
  } catch {
    return undefined;
  }
}
