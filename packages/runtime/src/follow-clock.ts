import type { ClockReading, StoreClock } from './clock.ts';
import { withDeadline } from './deadline.ts';
import { type Repeating, repeat } from './repeat.ts';

/** The monotonic clock stops while a host is suspended. The error is corrected within this time. */
const EVERY_MS = 15_000;
const AFTER_ERROR_MS = 5_000;
const START_WITHIN_MS = 2_000;

export type FollowClock = {
  clock: Pick<StoreClock, 'adopt'>;
  read: () => Promise<ClockReading>;
  onError: (error: unknown) => void;
};

/** Corrects a clock by regular readings of another one until stopped. Resolves after a first reading, or after 2 s. */
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
  await withDeadline(firstRound, START_WITHIN_MS);
  return following;
}
