import type { ClockReading, StoreClock } from './clock.ts';
import { withDeadline } from './deadline.ts';
import { type Repeating, repeat } from './repeat.ts';

const EVERY_MS = 15_000;
/**
 * How often the monotonic clock is compared with the wall clock. While a host is suspended, only the wall clock goes
 * on. If the two disagree, the clock is corrected at once.
 */
const COMPARE_EVERY_MS = 500;
const DISAGREE_MS = 1_000;
const AFTER_ERROR_MS = 5_000;
const START_WITHIN_MS = 2_000;

export type FollowClock = {
  clock: Pick<StoreClock, 'adopt' | 'aheadOfWallMs'>;
  read: () => Promise<ClockReading>;
  onError: (error: unknown) => void;
};

/**
 * Corrects a clock by regular readings of another clock until stopped. Resolves after a first reading, or after 2 s.
 */
export async function followClock({ clock, read, onError }: FollowClock): Promise<Repeating> {
  let began = () => {};
  const firstRound = new Promise<void>((resolve) => {
    began = resolve;
  });
  const following = repeat({
    async round() {
      try {
        clock.adopt(await read());
        return EVERY_MS;
      } finally {
        began();
      }
    },
    waitAfterErrorMs: AFTER_ERROR_MS,
    onError,
  });
  let aheadMs = clock.aheadOfWallMs();
  const comparing = setInterval(() => {
    const beforeMs = aheadMs;
    aheadMs = clock.aheadOfWallMs();
    if (Math.abs(aheadMs - beforeMs) > DISAGREE_MS) following.hurry();
  }, COMPARE_EVERY_MS);
  comparing.unref();
  await withDeadline(firstRound, START_WITHIN_MS);
  return {
    ...following,
    async stop() {
      clearInterval(comparing);
      await following.stop();
    },
  };
}
