import type { Result } from 'ioredis';
import { openProducerConnection, type QueueOptions } from './connection.ts';

/** The limits that an endpoint's owner sets (`rateLimit`, `maxConcurrency`), for all dispatchers together. */
export type Throttle = {
  /**
   * Takes a time in an endpoint's rate that is free now, unless deliveries wait in the endpoint's line. Otherwise the
   * delivery is to enter the line. Rejects while Redis is away.
   */
  takeTime(endpointId: string, rate: RateLimit): Promise<TimeTaken>;
  /**
   * Reserves the next times in the rate, at most `most`, and none later than `aheadMs` from now: for deliveries in the
   * line, in its order. With `most: 0` it only tells the next one. Rejects while Redis is away.
   */
  reserveTimes(endpointId: string, rate: RateLimit, options: { most: number; aheadMs: number }): Promise<Times>;
  /**
   * Tells that a request was later than its time, in the sense of `pace`. Later requests then keep their distance from it.
   */
  tellLate(endpointId: string, rate: RateLimit, lateMs: number): void;
  /** Remembers for so long that deliveries wait in the endpoint's line: no new one passes them. */
  markLine(endpointId: string, forMs: number): void;
  /** Forgets it: the line is empty. */
  forgetLine(endpointId: string): void;
  /**
   * Takes one of the endpoint's slots for running attempts; false when all are taken, or when others wait in the line
   * and it is not the turn of the line. Rejects while Redis is away.
   */
  takeSlot(endpointId: string, slot: Slot): Promise<boolean>;
  /**
   * Releases the slot. A slot that is not released is freed when its lease ends. Returns whether others wait in the line.
   */
  releaseSlot(endpointId: string, holder: string): Promise<boolean>;
  close(): void;
};

export type RateLimit = { limit: number; periodSeconds: number };
/** With `isTurn`, the delivery passes the ones that wait in the line. */
export type Slot = { holder: string; max: number; leaseMs: number; isTurn?: boolean };
export type TimeTaken = { kind: 'now' } | { kind: 'wait'; waitMs: number };
/** The waits until the times that were reserved, and until the next free time after them. */
export type Times = { waitsMs: number[]; nextMs: number };

/** How long a refused delivery keeps others from passing it: until it is in the line, and the line has its turn. */
const REFUSED_MS = 2_000;
/** Longer than any lease. */
const LONGEST_LEASE_MS = 600_000;

/**
 * The generic cell rate algorithm: one number for each endpoint and rate, the time at which the rate is used up, by Redis'
 * clock. Another limit or period has another key, so no time is bound to a rate that is not in force. A number further
 * ahead than any reservation reaches comes from a clock that was set back, and is cut.
 */
const RESERVE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval, tolerance, ahead, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local furthest = now + tolerance + interval + tonumber(ARGV[5])
local used = math.min(math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now), furthest)
local isNew = ARGV[6] == '1'
local waits = {}
if not (isNew and redis.call('EXISTS', KEYS[2]) == 1) then
  while #waits < most do
    local wait = math.max(0, used - tolerance - now)
    if wait > ahead then break end
    waits[#waits + 1] = string.format('%.3f', wait)
    used = math.max(used, now + wait) + interval
  end
end
if #waits > 0 then redis.call('SET', KEYS[1], string.format('%.3f', used), 'PX', math.ceil(used - now) + 1000)
elseif isNew then redis.call('SET', KEYS[2], '1', 'PX', ARGV[7], 'NX') end
return {waits, string.format('%.3f', math.max(0, used - tolerance - now))}`;

/** Moves the times that are not reserved yet by the most that a request of this period was late. */
const LATE = `
local used = redis.call('GET', KEYS[1])
local told = tonumber(redis.call('GET', KEYS[2]) or '0')
local late = tonumber(ARGV[1])
if not used or late <= told then return 0 end
local ttl = redis.call('PTTL', KEYS[1])
redis.call('SET', KEYS[1], string.format('%.3f', tonumber(used) + late - told), 'PX', math.ceil(ttl + late))
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return 1`;

/**
 * Keeps the holders of slots, with the ends of their leases by Redis' clock. An end further ahead than the lease of this
 * caller comes from a clock that was set back.
 */
const TAKE_SLOT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[1], now + ${LONGEST_LEASE_MS}, '+inf')
if ARGV[4] ~= '1' and redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  if ARGV[4] ~= '1' then redis.call('SET', KEYS[2], '1', 'PX', ARGV[5], 'NX') end
  return 0
end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[1])
redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[3]) + 60000)
return 1`;

const RELEASE_SLOT = `
redis.call('ZREM', KEYS[1], ARGV[1])
return redis.call('EXISTS', KEYS[2])`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    reserveTimes(key: string, line: string, ...given: number[]): Result<[waits: string[], next: string], Context>;
    tellLate(key: string, late: string, lateMs: number, periodMs: number): Result<0 | 1, Context>;
    takeSlot(
      key: string,
      line: string,
      holder: string,
      ...given: [max: number, leaseMs: number, isTurn: 0 | 1, refusedMs: number]
    ): Result<0 | 1, Context>;
    releaseSlot(key: string, line: string, holder: string): Result<0 | 1, Context>;
  }
}

/** Opens a connection of its own. */
export function createThrottle(options: QueueOptions): Throttle {
  const connection = openProducerConnection(options);
  connection.defineCommand('reserveTimes', { numberOfKeys: 2, lua: RESERVE });
  connection.defineCommand('tellLate', { numberOfKeys: 2, lua: LATE });
  connection.defineCommand('takeSlot', { numberOfKeys: 2, lua: TAKE_SLOT });
  connection.defineCommand('releaseSlot', { numberOfKeys: 2, lua: RELEASE_SLOT });
  // The braces let all keys of an endpoint be on one node of a Cluster.
  const keyOf = (kind: string, endpointId: string) => `${options.prefix}:${kind}:{${endpointId}}`;
  const rateKey = (endpointId: string, { limit, periodSeconds }: RateLimit, kind = 'rate') =>
    `${keyOf(kind, endpointId)}:${limit}/${periodSeconds}`;
  const lineKey = (endpointId: string) => keyOf('line', endpointId);
  const reserve = async (endpointId: string, rate: RateLimit, { most, aheadMs, isNew }: ReserveOptions) => {
    const { intervalMs, toleranceMs, slackMs } = pace(rate);
    const furthestMs = MAX_AHEAD_MS + rate.periodSeconds * 1_000 + slackMs;
    const given = [intervalMs, toleranceMs, aheadMs, most, furthestMs, isNew ? 1 : 0, REFUSED_MS];
    const [waits, next] = await connection.reserveTimes(rateKey(endpointId, rate), lineKey(endpointId), ...given);
    return { waitsMs: waits.map(Number), nextMs: Number(next) };
  };
  // What is not told is told by the next turn of the line, or ends by its time.
  const ignored = (told: Promise<unknown>) => void told.catch(() => undefined);
  return {
    async takeTime(endpointId, rate) {
      const { waitsMs, nextMs } = await reserve(endpointId, rate, { most: 1, aheadMs: 0, isNew: true });
      return waitsMs.length > 0 ? { kind: 'now' } : { kind: 'wait', waitMs: nextMs };
    },
    reserveTimes: (endpointId, rate, { most, aheadMs }) =>
      reserve(endpointId, rate, { most, aheadMs: Math.min(aheadMs, MAX_AHEAD_MS), isNew: false }),
    tellLate(endpointId, rate, givenMs) {
      const lateMs = Math.min(givenMs - pace(rate).slackMs, MAX_AHEAD_MS);
      if (lateMs <= 0) return;
      const periodMs = rate.periodSeconds * 1_000;
      ignored(connection.tellLate(rateKey(endpointId, rate), rateKey(endpointId, rate, 'late'), lateMs, periodMs));
    },
    markLine: (endpointId, forMs) => ignored(connection.set(lineKey(endpointId), '1', 'PX', Math.ceil(forMs))),
    forgetLine: (endpointId) => ignored(connection.del(lineKey(endpointId))),
    takeSlot: async (endpointId, { holder, max, leaseMs, isTurn = false }) =>
      (await connection.takeSlot(
        keyOf('slots', endpointId),
        lineKey(endpointId),
        ...([holder, max, leaseMs, isTurn ? 1 : 0, REFUSED_MS] as const),
      )) === 1,
    releaseSlot: async (endpointId, holder) =>
      (await connection.releaseSlot(keyOf('slots', endpointId), lineKey(endpointId), holder)) === 1,
    close: () => connection.disconnect(),
  };
}

type ReserveOptions = { most: number; aheadMs: number; isNew: boolean };

/** No time further ahead is reserved: so long after a change of the limit, no request is sent under the old one. */
const MAX_AHEAD_MS = 1_000;

/** The period is longer by this share, so that a request may be a little later than its time. */
const SLACK = 0.015;
/** Of the limit, this share may be sent at once. */
const AT_ONCE = 0.01;

/**
 * The interval between requests, the burst that is allowed (as the time by which the rate may be used ahead), and the time
 * by which a request may be late while no period has more than the limit. In the long run, the rate is at most 2.5 % below
 * the limit.
 */
export function pace({ limit, periodSeconds }: RateLimit): Record<'intervalMs' | 'toleranceMs' | 'slackMs', number> {
  const atOnce = 1 + Math.floor(limit * AT_ONCE);
  const slackMs = periodSeconds * 1_000 * SLACK;
  const intervalMs = (periodSeconds * 1_000 + slackMs) / (limit - atOnce + 1);
  return { intervalMs, toleranceMs: (atOnce - 1) * intervalMs, slackMs };
}
