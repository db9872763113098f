import { randomUUID } from 'node:crypto';
import type { Result } from 'ioredis';
import type { SlowEndpoints, Takers } from '../takers.ts';
import type { RedisConnection } from './connection.ts';

/** How often a dispatcher shows itself. It counts as seen for `SEEN_FOR_MS`. */
const SHOWN_EVERY_MS = 1_000;
const SEEN_FOR_MS = 5_000;
const READ_EVERY_MS = 500;
/**
 * The interval while no dispatcher is seen. It is short because events accepted meanwhile wait behind all that already
 * waited.
 */
const READ_UNSEEN_EVERY_MS = 100;
/** After this time, a known queue length says nothing. */
const KNOWN_FOR_MS = 1_000;
/** A dispatcher takes this many jobs, each with a batch of events, well within the two seconds of an offer. */
const FEW_JOBS = 20;

const keyOf = (prefix: string) => `${prefix}:takers`;

/** How often to check for dispatchers of an earlier version, while many jobs wait. */
const OTHERS_EVERY_MS = 5_000;

/** Shows a dispatcher, and forgets those that have ended. Uses Redis' clock, because the hosts' clocks differ. */
const SHOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, id in ipairs(redis.call('HKEYS', KEYS[1])) do
  local shown = string.match(redis.call('HGET', KEYS[1], id), '^(%d+) ')
  if not shown or now - shown > tonumber(ARGV[3]) then redis.call('HDEL', KEYS[1], id) end
end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f ', now) .. ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

/** The reports of the dispatchers that are seen. */
const SEEN = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local seen = {}
for _, said in ipairs(redis.call('HVALS', KEYS[1])) do
  local shown, words = string.match(said, '^(%d+) (.*)$')
  if shown and now - shown <= tonumber(ARGV[1]) then seen[#seen + 1] = words end
end
return seen`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    showTaker(key: string, id: string, words: string, forMs: number): Result<1, Context>;
    takersSeen(key: string, withinMs: number): Result<string[], Context>;
  }
}

/** Tells the APIs that this dispatcher takes hand-over jobs, and which endpoints are slow here, until it is stopped. */
export function showTaker(
  connection: RedisConnection,
  prefix: string,
  slowEndpoints: () => SlowEndpoints,
): { stop(): void } {
  const id = randomUUID();
  connection.defineCommand('showTaker', { numberOfKeys: 1, lua: SHOW });
  const show = () => {
    if (connection.status !== 'ready') return;
    const words = [...slowEndpoints()].map(([endpointId, ms]) => `${endpointId}=${Math.ceil(ms)}`).join(' ');
    connection.showTaker(keyOf(prefix), id, words, SEEN_FOR_MS).catch(() => undefined);
  };
  show();
  connection.on('ready', show);
  const timer = setInterval(show, SHOWN_EVERY_MS).unref();
  return {
    stop() {
      clearInterval(timer);
      connection.off('ready', show);
      if (connection.status === 'ready') connection.hdel(keyOf(prefix), id).catch(() => undefined);
    },
  };
}

/** The paces of several dispatchers add up, because each frees its own slots. */
function together(said: readonly string[]): Map<string, number> {
  const perMs = new Map<string, number>();
  for (const words of said) {
    for (const word of words === '' ? [] : words.split(' ')) {
      const [endpointId = '', ms] = word.split('=');
      perMs.set(endpointId, (perMs.get(endpointId) ?? 0) + 1 / Math.max(1, Number(ms)));
    }
  }
  return new Map([...perMs].map(([endpointId, rate]) => [endpointId, 1 / rate]));
}

export type WatchTakers = {
  connection: RedisConnection;
  prefix: string;
  /** Reads the number of waiting jobs. */
  readWaiting: () => Promise<number>;
  /** Reads whether there are dispatchers that take no hand-over jobs. */
  readOthers: () => Promise<boolean>;
  monotonicMs: () => number;
};

type Known = { isSeen: boolean; waiting: number; slow: SlowEndpoints; atMs: number };

/**
 * Reads every half second how soon jobs are taken, from the first question on, and more often while there is no
 * dispatcher. The answer is the last reading.
 */
export function watchTakers({ connection, prefix, readWaiting, readOthers, monotonicMs }: WatchTakers) {
  connection.defineCommand('takersSeen', { numberOfKeys: 1, lua: SEEN });
  let known: Known | undefined;
  let others = { areThere: false, readAtMs: Number.NEGATIVE_INFINITY };
  let timer: NodeJS.Timeout | undefined;
  const read = async () => {
    if (connection.status !== 'ready') return;
    const atMs = monotonicMs();
    const [said, waiting] = await Promise.all([connection.takersSeen(keyOf(prefix), SEEN_FOR_MS), readWaiting()]);
    known = { isSeen: said.length > 0, waiting, slow: together(said), atMs };
    if (waiting <= FEW_JOBS || atMs - others.readAtMs < OTHERS_EVERY_MS) return;
    others = { ...others, readAtMs: atMs };
    // A Redis may refuse to list its clients.
    others.areThere = await readOthers().catch(() => false);
  };
  const ageMs = ({ atMs }: Known) => monotonicMs() - atMs;
  let isReading = false;
  const readIfOld = async () => {
    if (isReading || (known?.isSeen && ageMs(known) < READ_EVERY_MS)) return;
    isReading = true;
    await read().catch(() => undefined);
    isReading = false;
  };
  return {
    state(): Takers {
      if (timer === undefined) {
        timer = setInterval(readIfOld, READ_UNSEEN_EVERY_MS).unref();
        void readIfOld();
      }
      if (connection.status !== 'ready' || known === undefined) return 'none';
      if (!known.isSeen || ageMs(known) > SEEN_FOR_MS) return 'none';
      if (ageMs(known) <= KNOWN_FOR_MS && known.waiting <= FEW_JOBS) return 'ready';
      return known.waiting > FEW_JOBS && others.areThere ? 'none' : 'behind';
    },
    /** The interval in milliseconds at which a slot becomes free at a slow endpoint; undefined for any other. */
    slowMs(endpointId: string): number | undefined {
      return known === undefined || ageMs(known) > SEEN_FOR_MS ? undefined : known.slow.get(endpointId);
    },
    stop: () => clearInterval(timer),
  };
}
