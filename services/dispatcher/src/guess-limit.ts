import { networkOf } from '@posthorn/egress/network-of';

export type GuessLimit = {
  /** The milliseconds until the address may guess again; 0 if it may guess now. */
  waitMs: (address: string) => number;
  /** Counts a wrong guess. */
  count: (address: string) => void;
};

const MOST = 10;
const WINDOW_MS = 15 * 60_000;
/** The most addresses to keep. Beyond that, the address whose window began first is removed. */
const MAX_ADDRESSES = 10_000;

/** Allows an address 10 wrong guesses in the 15 minutes after the first. An IPv6 /64 network counts as one address. */
export function createGuessLimit(clock: { monotonicMs: () => number }): GuessLimit {
  const windows = new Map<string, { guesses: number; endsMs: number }>();
  const open = (key: string) => {
    const window = windows.get(key);
    if (window === undefined || window.endsMs > clock.monotonicMs()) return window;
    windows.delete(key);
    return undefined;
  };
  return {
    waitMs(address) {
      const window = open(networkOf(address));
      return window === undefined || window.guesses < MOST ? 0 : window.endsMs - clock.monotonicMs();
    },
    count(address) {
      const key = networkOf(address);
      const window = open(key) ?? { guesses: 0, endsMs: clock.monotonicMs() + WINDOW_MS };
      window.guesses += 1;
      windows.set(key, window);
      const [first] = windows.keys();
      if (windows.size > MAX_ADDRESSES && first !== undefined) windows.delete(first);
    },
  };
}
