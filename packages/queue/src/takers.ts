import type { RedisConnection } from './connection.ts';

/** How soon dispatchers take hand-over jobs. */
export type Takers =
  /** A dispatcher is there, and few jobs wait: a lease of seconds is still good when its job is taken. */
  | 'ready'
  /** A dispatcher is there, but many jobs wait, or their number has not been read for a second. */
  | 'behind'
  /** Redis is away, or no dispatcher was seen for 5 s. One of an earlier version does not show itself. */
  | 'none';

/** A dispatcher shows itself this often, and counts as seen for `SEEN_FOR_MS`. */
const SHOWN_EVERY_MS = 1_000;
const SEEN_FOR_MS = 5_000;
const READ_EVERY_MS = 500;
/** A known length of the queue says nothing after this time. */
const KNOWN_FOR_MS = 1_000;
/** A dispatcher takes so many jobs, each of a batch of events, well within the two seconds of an offer. */
const FEW_JOBS = 20;

const keyOf = (prefix: string) => `${prefix}:takers`;

/** Tells the APIs that this dispatcher takes hand-over jobs, until it is stopped. */
export function showTaker(connection: RedisConnection, prefix: string): { stop(): void } {
  const show = () => {
    if (connection.status === 'ready') connection.set(keyOf(prefix), 1, 'PX', SEEN_FOR_MS).catch(() => undefined);
  };
  show();
  connection.on('ready', show);
  const timer = setInterval(show, SHOWN_EVERY_MS).unref();
  return {
    stop() {
      clearInterval(timer);
      connection.off('ready', show);
    },
  };
}

export type WatchTakers = {
  connection: RedisConnection;
  prefix: string;
  /** Reads the number of jobs that wait. */
  readWaiting: () => Promise<number>;
  monotonicMs: () => number;
};

/** Reads every half second how soon jobs are taken, from the first question on. The answer is the last reading. */
export function watchTakers({ connection, prefix, readWaiting, monotonicMs }: WatchTakers) {
  let known: { isSeen: boolean; waiting: number; atMs: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const read = async () => {
    if (connection.status !== 'ready') return;
    const atMs = monotonicMs();
    const [seen, waiting] = await Promise.all([connection.exists(keyOf(prefix)), readWaiting()]);
    known = { isSeen: seen === 1, waiting, atMs };
  };
  const readQuietly = () => void read().catch(() => undefined);
  return {
    state(): Takers {
      if (timer === undefined) {
        timer = setInterval(readQuietly, READ_EVERY_MS).unref();
        readQuietly();
      }
      if (connection.status !== 'ready' || known === undefined) return 'none';
      const ageMs = monotonicMs() - known.atMs;
      if (!known.isSeen || ageMs > SEEN_FOR_MS) return 'none';
      return ageMs <= KNOWN_FOR_MS && known.waiting <= FEW_JOBS ? 'ready' : 'behind';
    },
    stop: () => clearInterval(timer),
  };
}
