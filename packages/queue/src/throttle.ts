import { openProducerConnection } from './connection.ts';

/** What an endpoint's owner allows (decisions §3 `config`), held over all dispatchers together. */
export type Throttle = {
  /** Takes the next place in an endpoint's rate, or says how long until its own. Throws while Redis is away. */
  reserve(endpointId: string, rate: RateLimit, reservedAtMs?: number): Promise<Reservation>;
  /** Takes one of the endpoint's places for attempts under way; false when all are taken. */
  takePlace(endpointId: string, place: Place): Promise<boolean>;
  /** Gives the place back; one that is never given back frees itself when its lease ends. */
  leavePlace(endpointId: string, holder: string): Promise<void>;
  close(): void;
};

export type RateLimit = { limit: number; periodSeconds: number };
export type Place = { holder: string; most: number; leaseMs: number };

export type Reservation =
  | { kind: 'now' }
  /** Its time is set aside: come back then, with it. */
  | { kind: 'later'; waitMs: number; reservedAtMs: number }
  /** Too far ahead to be set aside; nothing was charged. */
  | { kind: 'too_far' };

export type ThrottleOptions = { redisUrl: string; prefix: string; onError: (error: Error) => void };

/** Times are set aside no further ahead than this. */
const HORIZON_MS = 10 * 60_000;
/** How late one may come and still have its time. */
const LATE_MS = 1_000;

/** What starts in time may arrive so much later: a connection must be made first. */
const LATE_ARRIVAL_MS = 200;

/**
 * The generic cell rate algorithm: one number for each endpoint, the time at which its rate is used up. By Redis'
 * clock alone. Answers the wait in milliseconds (-1: past the horizon) and the time set aside.
 */
const RESERVE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local interval, tolerance, horizon = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local reserved, late = tonumber(ARGV[4]), tonumber(ARGV[5])
if reserved > 0 and now <= reserved + late then return {math.max(0, reserved - now), reserved} end
local used = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local wait = math.ceil(math.max(0, used - tolerance - now))
if wait > horizon then return {-1, 0} end
redis.call('SET', KEYS[1], string.format('%.3f', used + interval), 'PX', math.ceil(used + interval - now) + 1000)
return {wait, now + wait}`;

/** Holders with the end of their leases, by Redis' clock. */
const TAKE_PLACE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[1])
redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[3]) + 60000)
return 1`;

/** Opens a connection of its own; every call fails at once while Redis is away. */
export function createThrottle(options: ThrottleOptions): Throttle {
  const connection = openProducerConnection(options);
  const keyOf = (kind: 'rate' | 'places', endpointId: string) => `${options.prefix}:${kind}:${endpointId}`;
  return {
    async reserve(endpointId, rate, reservedAtMs = 0) {
      const { intervalMs, toleranceMs } = pace(rate);
      const given = [intervalMs, toleranceMs, HORIZON_MS, reservedAtMs, LATE_MS];
      const [waitMs, at] = (await connection.eval(RESERVE, 1, keyOf('rate', endpointId), ...given)) as [number, number];
      if (waitMs < 0) return { kind: 'too_far' };
      return waitMs === 0 ? { kind: 'now' } : { kind: 'later', waitMs, reservedAtMs: at };
    },
    async takePlace(endpointId, { holder, most, leaseMs }) {
      return (await connection.eval(TAKE_PLACE, 1, keyOf('places', endpointId), holder, most, leaseMs)) === 1;
    },
    async leavePlace(endpointId, holder) {
      await connection.zrem(keyOf('places', endpointId), holder);
    },
    close: () => connection.disconnect(),
  };
}

/**
 * How far apart requests are, and how much of the rate may be used up at once: up to a tenth of the limit, and the
 * rest is spread so that no period holds more than the limit. The period is stretched a little, because what starts
 * in time may arrive a little late.
 */
export function pace({ limit, periodSeconds }: RateLimit): { intervalMs: number; toleranceMs: number } {
  const atOnce = Math.max(1, Math.floor(limit / 10));
  const intervalMs = (periodSeconds * 1_000 + LATE_ARRIVAL_MS) / (limit - atOnce + 1);
  return { intervalMs, toleranceMs: (atOnce - 1) * intervalMs };
}
