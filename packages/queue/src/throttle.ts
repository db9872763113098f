import type { Result } from 'ioredis';
import { openProducerConnection, type QueueOptions } from './connection.ts';

/** The limits that an endpoint's owner sets (`rateLimit`, `maxConcurrency`), for all dispatchers together. */
export type Throttle = {
  /**
   * Reserves the next time in an endpoint's rate, or returns the wait for it. `reservedAtMs` is the time of an earlier
   * reservation. Rejects while Redis is away.
   */
  reserve(endpointId: string, rate: RateLimit, reservedAtMs?: number): Promise<Reservation>;
  /**
   * Takes a time in an endpoint's rate if it is free now, and if half of the burst stays free: for deliveries that
   * leave the rate to other deliveries. Rejects while Redis is away.
   */
  takeTime(endpointId: string, rate: RateLimit): Promise<boolean>;
  /** Takes one of the endpoint's slots for running attempts; false when all are taken. Rejects while Redis is away. */
  takeSlot(endpointId: string, slot: Slot): Promise<boolean>;
  /** Releases the slot. A slot that is not released is freed when its lease ends. */
  releaseSlot(endpointId: string, holder: string): Promise<void>;
  close(): void;
};

export type RateLimit = { limit: number; periodSeconds: number };
export type Slot = { holder: string; max: number; leaseMs: number };

export type Reservation =
  | { kind: 'now' }
  /** The time is reserved. Enqueue the delivery for that time, with `reservedAtMs`. */
  | { kind: 'later'; waitMs: number; reservedAtMs: number }
  /** The time is too far ahead to be reserved. Nothing was reserved. */
  | { kind: 'too_far' };

/** No time further ahead is reserved, so that a changed limit takes effect within this time. */
const HORIZON_MS = 10 * 60_000;
/** A delivery that comes later than this after its reserved time has lost the reservation. */
const MAX_LATE_MS = 1_000;
/** A request that starts in time may arrive this much later, because a connection must be made first. */
const LATE_ARRIVAL_MS = 200;

/**
 * The generic cell rate algorithm: one number for each endpoint, the time at which its rate is used up, by Redis'
 * clock. Returns the wait in milliseconds (-1: past the horizon) and the reserved time.
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

/** Keeps the holders of slots, with the ends of their leases by Redis' clock. */
const TAKE_SLOT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[1])
redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[3]) + 60000)
return 1`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    reserveTime(key: string, ...given: number[]): Result<[waitMs: number, reservedAtMs: number], Context>;
    takeSlot(key: string, holder: string, max: number, leaseMs: number): Result<0 | 1, Context>;
  }
}

/** Opens a connection of its own. */
export function createThrottle(options: QueueOptions): Throttle {
  const connection = openProducerConnection(options);
  connection.defineCommand('reserveTime', { numberOfKeys: 1, lua: RESERVE });
  connection.defineCommand('takeSlot', { numberOfKeys: 1, lua: TAKE_SLOT });
  const keyOf = (kind: 'rate' | 'slots', endpointId: string) => `${options.prefix}:${kind}:${endpointId}`;
  return {
    async reserve(endpointId, rate, reservedAtMs = 0) {
      const { intervalMs, toleranceMs } = pace(rate);
      const given = [intervalMs, toleranceMs, HORIZON_MS, reservedAtMs, MAX_LATE_MS];
      const [waitMs, at] = await connection.reserveTime(keyOf('rate', endpointId), ...given);
      if (waitMs < 0) return { kind: 'too_far' };
      return waitMs === 0 ? { kind: 'now' } : { kind: 'later', waitMs, reservedAtMs: at };
    },
    async takeTime(endpointId, rate) {
      const { intervalMs, toleranceMs } = pace(rate);
      const [waitMs] = await connection.reserveTime(keyOf('rate', endpointId), intervalMs, toleranceMs / 2, 0, 0, 0);
      return waitMs === 0;
    },
    takeSlot: async (endpointId, { holder, max, leaseMs }) =>
      (await connection.takeSlot(keyOf('slots', endpointId), holder, max, leaseMs)) === 1,
    async releaseSlot(endpointId, holder) {
      await connection.zrem(keyOf('slots', endpointId), holder);
    },
    close: () => connection.disconnect(),
  };
}

/**
 * The interval between requests, and the burst, which is at most a tenth of the limit. The other requests are spread,
 * so that no period has more than the limit. The period is slightly longer, because a request that starts in time may
 * arrive a little late.
 */
export function pace({ limit, periodSeconds }: RateLimit): { intervalMs: number; toleranceMs: number } {
  const atOnce = Math.max(1, Math.floor(limit / 10));
  const intervalMs = (periodSeconds * 1_000 + LATE_ARRIVAL_MS) / (limit - atOnce + 1);
  return { intervalMs, toleranceMs: (atOnce - 1) * intervalMs };
}
