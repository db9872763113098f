import type { Result } from 'ioredis';
import { MAX_AHEAD_MS, pace, type RateLimit, type Throttle } from '../throttle.ts';
import { openProducerConnection, type QueueOptions } from './connection.ts';

/** How long a refused delivery keeps others from passing it: until it is in the line and the line has its turn. */
const REFUSED_MS = 2_000;
/** Longer than any lease. */
const LONGEST_LEASE_MS = 600_000;

/**
 * The generic cell rate algorithm. It has one number for each endpoint and rate: the time at which the rate is used up,
 * by Redis' clock. Another limit or period has another key, so that no time is bound to an outdated rate. A number that
 * is further ahead than any reservation reaches comes from a clock that was set back, and is cut. A turn of a line may
 * take times that have passed; its requests are then late.
 */
const RESERVE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval, tolerance, ahead, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local furthest = now + tolerance + interval + tonumber(ARGV[5])
local isNew, passes = ARGV[6] ~= '0', ARGV[6] == '2'
local earliest = isNew and now or now - tonumber(ARGV[8])
local used = math.min(math.max(tonumber(redis.call('GET', KEYS[1]) or now), earliest), furthest)
local waits = {}
if not (isNew and redis.call('EXISTS', KEYS[2]) == 1) then
  while #waits < most do
    local wait = math.max(math.min(0, used - now), used - tolerance - now)
    if passes then wait = 0 elseif wait > ahead then break end
    waits[#waits + 1] = string.format('%.3f', wait)
    used = math.max(used, now + wait) + interval
  end
end
if #waits > 0 then redis.call('SET', KEYS[1], string.format('%.3f', used), 'PX', math.ceil(math.max(0, used - now)) + 1000)
elseif isNew then redis.call('SET', KEYS[2], '1', 'PX', ARGV[7], 'NX') end
return {waits, string.format('%.3f', math.max(0, used - tolerance - now))}`;

/** Moves the times that are not reserved yet by the greatest lateness of a request in this period. */
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
 * Keeps the holders of slots, with the ends of their leases by Redis' clock. An end that is further ahead than this
 * caller's lease comes from a clock that was set back.
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

/** Opens its own connection. */
export function createThrottle(options: QueueOptions): Throttle {
  const connection = openProducerConnection(options);
  connection.defineCommand('reserveTimes', { numberOfKeys: 2, lua: RESERVE });
  connection.defineCommand('tellLate', { numberOfKeys: 2, lua: LATE });
  connection.defineCommand('takeSlot', { numberOfKeys: 2, lua: TAKE_SLOT });
  connection.defineCommand('releaseSlot', { numberOfKeys: 2, lua: RELEASE_SLOT });
  // The braces keep all keys of an endpoint on one node of a Cluster.
  const keyOf = (kind: string, endpointId: string) => `${options.prefix}:${kind}:{${endpointId}}`;
  const rateKey = (endpointId: string, { limit, periodSeconds }: RateLimit, kind = 'rate') =>
    `${keyOf(kind, endpointId)}:${limit}/${periodSeconds}`;
  const lineKey = (endpointId: string) => keyOf('line', endpointId);
  const reserve = async (endpointId: string, rate: RateLimit, { most, aheadMs, as }: ReserveOptions) => {
    const { intervalMs, toleranceMs, slackMs, passedMs } = pace(rate);
    const furthestMs = MAX_AHEAD_MS + rate.periodSeconds * 1_000 + slackMs;
    const given = [intervalMs, toleranceMs, aheadMs, most, furthestMs, AS[as], REFUSED_MS, passedMs];
    const [waits, next] = await connection.reserveTimes(rateKey(endpointId, rate), lineKey(endpointId), ...given);
    return { waitsMs: waits.map(Number), nextMs: Number(next) };
  };
  // If this fails, the line's next turn repeats it, or its effect ends by its own time.
  const ignored = (told: Promise<unknown>) => void told.catch(() => undefined);
  return {
    async takeTime(endpointId, rate, { passes } = { passes: false }) {
      const as = passes ? 'passing' : 'new';
      const { waitsMs, nextMs } = await reserve(endpointId, rate, { most: 1, aheadMs: 0, as });
      return waitsMs.length > 0 ? { kind: 'now' } : { kind: 'wait', waitMs: nextMs };
    },
    reserveTimes: (endpointId, rate, { most, aheadMs }) =>
      reserve(endpointId, rate, { most, aheadMs: Math.min(aheadMs, MAX_AHEAD_MS), as: 'line' }),
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

const AS = { line: 0, new: 1, passing: 2 };
type ReserveOptions = { most: number; aheadMs: number; as: keyof typeof AS };
