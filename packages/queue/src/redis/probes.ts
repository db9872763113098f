import { randomUUID } from 'node:crypto';
import type { Result } from 'ioredis';
import { PROBE_QUEUE, type ProbeJob } from '../jobs.ts';
import type { ProbeLimits, ProbeOutcome, Probes, RefusedBy } from '../probes.ts';
import { openListener, openProducerConnection, type QueueOptions, subscribe } from './connection.ts';

import { createQueue } from './open-queue.ts';
import { type ProbeMessage, parseReply } from './probe-replies.ts';

/** Longer than any probe counts. */
const LONGEST_LEASE_MS = 600_000;

/**
 * Keeps the holders of slots, with the ends of their leases by Redis' clock. The first key is that of the pause. The
 * others have slots, and a limit each. Returns the number of the key that refuses with the time to wait, or 0 with the
 * number of the owner's probes. An end further ahead than any lease, and a longer pause, come from a clock that was set
 * back.
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

const REFUSED_BY = {
  1: 'pause',
  2: 'endpoint',
  3: 'workspace',
  4: 'owner',
  5: 'portal',
  6: 'portals',
} as const satisfies Record<number, RefusedBy>;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    admitProbe(
      keyCount: number,
      ...keysAndGiven: (string | number)[]
    ): Result<[refusal: 0 | keyof typeof REFUSED_BY, waitMsOrCount: number], Context>;
  }
}

/**
 * Opens two connections of its own: one for commands, and one that listens for replies. A reply arrives on a channel
 * and is stored nowhere. If a reply is lost with a connection, the wait ends at its limit.
 */
export function createProbes(options: QueueOptions): Probes {
  const { prefix } = options;
  const connection = openProducerConnection(options);
  connection.defineCommand('admitProbe', { lua: ADMIT });
  const replies = openReplies(options);
  const probes = createQueue<ProbeJob>(PROBE_QUEUE, connection, options);
  return {
    async admit({ kind, endpointId, workspaceId, ownerId, portal, ...limits }) {
      const holder = randomUUID();
      // The braces keep the keys of the script in one hash slot of a Cluster.
      const ofOwner = `${prefix}:probes:{${ownerId}}`;
      // Agents of customers take no place of people.
      const ofWorkspace = `${ofOwner}:${workspaceId}${kind === 'challenge' ? ':challenges' : ''}`;
      const ofEndpoint = `${ofWorkspace}:${kind}:${endpointId}`;
      const slots = [
        { key: ofEndpoint, most: limits.mostOfEndpoint },
        { key: ofWorkspace, most: limits.mostOfWorkspace },
        { key: ofOwner, most: limits.mostOfOwner },
        ...(portal === undefined
          ? []
          : [
              { key: `${ofWorkspace}:portal:${portal.applicationId}`, most: portal.most },
              { key: `${ofWorkspace}:portals`, most: portal.mostOfAll },
            ]),
      ];
      const [refusal, figure] = await connection.admitProbe(
        1 + slots.length,
        `${ofEndpoint}:pause`,
        ...slots.map(({ key }) => key),
        holder,
        limits.forgottenAfterMs,
        limits.pauseMs,
        ...slots.map(({ most }) => most),
      );
      if (refusal !== 0) return { kind: 'refused', by: REFUSED_BY[refusal], retryAfterMs: figure };
      const release = async () => {
        const released = Promise.all(slots.map(({ key }) => connection.zrem(key, holder)));
        await released.catch(() => undefined); // It no longer counts after its time.
      };
      return { kind: 'admitted', ofOwner: figure, release };
    },
    async ask({ ofOwner }, task, { beginsWithinMs, endsWithinMs, now }) {
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
    async close() {
      await probes.close();
      connection.disconnect();
      replies.close();
    },
  };
}

type Waiting = { begun: () => void; end: (outcome: ProbeOutcome) => void };

/** Listens on a channel of this process, and passes each reply to the request that waits for it. */
function openReplies(options: QueueOptions) {
  const channel = `${options.prefix}:probe-replies:${randomUUID()}`;
  const waiting = new Map<string, Waiting>();
  const connection = openListener(options);
  const receive = ({ probeId, ...message }: ProbeMessage) => {
    if (message.kind === 'begun') waiting.get(probeId)?.begun();
    else waiting.get(probeId)?.end({ kind: 'replied', reply: message.reply });
  };
  connection.on('message', (_channel, text: string) => {
    const message = parseReply(text);
    if (message !== undefined) receive(message);
  });
  return {
    channel,
    /** Repeated for each probe, so that a half-open connection is noticed before a dispatcher is asked. */
    async listen() {
      await subscribe(connection, channel);
    },
    outcome: (probeId: string, limits: Pick<ProbeLimits, 'beginsWithinMs' | 'endsWithinMs'>) =>
      new Promise<ProbeOutcome>((resolve) => {
        const end = (outcome: ProbeOutcome) => {
          clearTimeout(timer);
          waiting.delete(probeId);
          resolve(outcome);
        };
        const startedMs = performance.now();
        let timer = setTimeout(() => end({ kind: 'not_begun' }), limits.beginsWithinMs);
        const begun = () => {
          clearTimeout(timer);
          const leftMs = limits.endsWithinMs - (performance.now() - startedMs);
          timer = setTimeout(() => end({ kind: 'no_reply' }), leftMs);
        };
        waiting.set(probeId, { begun, end });
      }),
    forget: (probeId: string) => waiting.get(probeId)?.end({ kind: 'not_begun' }),
    close: () => {
      connection.disconnect();
      for (const { end } of [...waiting.values()]) end({ kind: 'no_reply' });
    },
  };
}
