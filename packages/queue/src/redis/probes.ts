import { randomUUID } from 'node:crypto';
import type { Result } from 'ioredis';
import { PROBE_QUEUE, type ProbeJob } from '../jobs.ts';
import { createProbeOutcomes } from '../probe-outcomes.ts';
import { type ProbePlace, placesOfProbe } from '../probe-places.ts';
import type { Probes } from '../probes.ts';
import { openListener, openProducerConnection, type QueueOptions, subscribe } from './connection.ts';
import { createQueue } from './open-queue.ts';
import { parseReply } from './probe-replies.ts';

/** Longer than any probe counts. */
const LONGEST_LEASE_MS = 600_000;

/**
 * Keeps the holders of slots, with the ends of their leases by Redis' clock. The first key is the pause's. The others
 * have slots, each with a limit. Returns the index of the refusing key with the time to wait, or 0 with the number of
 * the owner's probes. An end further ahead than any lease, or a longer pause, comes from a clock that was set back.
 */
const ADMIT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local holder, lease, pause = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
for index = 2, #KEYS do
  redis.call('ZREMRANGEBYSCORE', KEYS[index], '-inf', now)
  redis.call('ZREMRANGEBYSCORE', KEYS[index], '(' .. (now + ${LONGEST_LEASE_MS}), '+inf')
  if redis.call('ZCARD', KEYS[index]) >= tonumber(ARGV[2 + index]) then return {index, 1000} end
end
if pause > 0 then
  local left = redis.call('PTTL', KEYS[1])
  if left > 0 and left <= pause then return {1, left} end
  redis.call('SET', KEYS[1], 1, 'PX', pause)
end
for index = 2, #KEYS do
  redis.call('ZADD', KEYS[index], now + lease, holder)
  redis.call('PEXPIRE', KEYS[index], lease + 60000)
end
return {0, redis.call('ZCARD', KEYS[4])}`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    admitProbe(
      keyCount: number,
      ...keysAndGiven: (string | number)[]
    ): Result<[refusal: number, waitMsOrCount: number], Context>;
  }
}

/**
 * Opens two connections: one for commands, and one that listens for replies. A reply arrives on a channel and is not
 * stored anywhere. If a reply is lost with a connection, the wait ends at its limit.
 */
export function createProbes(options: QueueOptions): Probes {
  const { prefix } = options;
  const connection = openProducerConnection(options);
  connection.defineCommand('admitProbe', { lua: ADMIT });
  const replies = openReplies(options);
  const probes = createQueue<ProbeJob>(PROBE_QUEUE, connection, options);
  return {
    async admit(asked) {
      const holder = randomUUID();
      const places = placesOfProbe(asked);
      // The braces keep the script's keys in one hash slot of a Cluster.
      const keyOf = ({ name }: ProbePlace) => `${prefix}:probes:{${asked.ownerId}}${name}`;
      const [refusal, figure] = await connection.admitProbe(
        1 + places.length,
        `${keyOf(places[0])}:pause`,
        ...places.map(keyOf),
        holder,
        asked.forgottenAfterMs,
        asked.pauseMs,
        ...places.map(({ most }) => most),
      );
      if (refusal > 0) return { kind: 'refused', by: places[refusal - 2]?.by ?? 'pause', retryAfterMs: figure };
      const release = async () => {
        const released = Promise.all(places.map((place) => connection.zrem(keyOf(place), holder)));
        await released.catch(() => undefined); // If the release fails, the probe no longer counts after its time.
      };
      return { kind: 'admitted', ofOwner: figure, release };
    },
    async ask({ ofOwner }, task, { beginsWithinMs, endsWithinMs, now }) {
      if (replies.hasEnded()) return { kind: 'not_begun' };
      const queue = await probes.open();
      await replies.listen();
      const probeId = randomUUID();
      const [beginsByMs, endsByMs] = [now.getTime() + beginsWithinMs, now.getTime() + endsWithinMs];
      const jobId = `probe-${probeId}`;
      const ended = replies.outcome(probeId, { beginsWithinMs, endsWithinMs });
      const data: ProbeJob = { ...task, probeId, replyTo: replies.channel, beginsByMs, endsByMs };
      try {
        await queue.add('probe', data, { jobId, priority: ofOwner });
      } catch (error) {
        replies.forget(probeId);
        throw error;
      }
      const outcome = await ended;
      // Without this, a job that no dispatcher took would wait for the next dispatcher, which would drop it.
      if (outcome.kind === 'not_begun') queue.remove(jobId).catch(() => undefined);
      return outcome;
    },
    endWaits: replies.endWaits,
    hasEnded: replies.hasEnded,
    async close() {
      await probes.close();
      connection.disconnect();
      replies.close();
    },
  };
}

/** Listens on a channel of this process, and passes each reply to the request that waits for it. */
function openReplies(options: QueueOptions) {
  const channel = `${options.prefix}:probe-replies:${randomUUID()}`;
  const outcomes = createProbeOutcomes();
  const connection = openListener(options);
  connection.on('message', (_channel, text: string) => {
    const message = parseReply(text);
    if (message?.kind === 'begun') outcomes.begun(message.probeId);
    if (message?.kind === 'ended') outcomes.end(message.probeId, { kind: 'replied', reply: message.reply });
  });
  return {
    channel,
    /** Repeated for each probe, so that a half-open connection is noticed before a dispatcher is asked. */
    async listen() {
      await subscribe(connection, channel);
    },
    outcome: outcomes.of,
    endWaits: outcomes.close,
    hasEnded: outcomes.isClosed,
    forget: (probeId: string) => outcomes.end(probeId, { kind: 'not_begun' }),
    close: () => {
      connection.disconnect();
      outcomes.close();
    },
  };
}
