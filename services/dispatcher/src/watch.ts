import type { DueWork, Work } from '@posthorn/ledger/due-work';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { type Repeating, type RepeatOptions, repeat } from '@posthorn/runtime/repeat';

/**
 * Runs rounds when Postgres has work for them. One short statement looks for all kinds of work, so a dispatcher without
 * work makes no other.
 */
export type Watch = {
  /**
   * Repeats the rounds of this work. The next round begins when the wait that the last one returned is over and the
   * work is due, or `earlyMs` before that. Until a look has ended since the last round, the work counts as due.
   */
  repeat(work: Work, options: RepeatOptions & { earlyMs?: number }): Repeating;
};

export type WatchDeps = {
  /** Reads how soon each kind of work is due. */
  look: () => Promise<DueWork>;
  clock: { monotonicMs(): number };
  /** The time between two looks. */
  everyMs: number;
  lifecycle: Pick<Lifecycle, 'onStop'>;
  /** For recurring errors. */
  quiet: Pick<Logger, 'warn'>;
};

/** The longest wait for a timer. The next look comes much earlier anyway. */
const LONGEST_WAIT_MS = 60_000;
const WAIT_AFTER_ERROR_MS = 1_000;

/** The last look, with its times on the monotonic clock. */
type Look = { due: DueWork; begunAtMs: number; endedAtMs: number };

/** Starts looking for due work. The looks end after the rounds, which the caller stops. */
export function startWatch({ look, clock, everyMs, lifecycle, quiet }: WatchDeps): Watch {
  const { monotonicMs } = clock;
  const onLook = new Set<() => void>();
  let last: Look | undefined;
  const looks = repeat({
    async round() {
      const begunAtMs = monotonicMs();
      const due = await look();
      last = { due, begunAtMs, endedAtMs: monotonicMs() };
      for (const tell of onLook) tell();
      return everyMs;
    },
    waitAfterErrorMs: WAIT_AFTER_ERROR_MS,
    onError: (error) => quiet.warn('due work could not be looked for', errorFields(error)),
  });
  lifecycle.onStop('looks for due work', () => looks.stop());
  return {
    repeat(work, { round, earlyMs = 0, ...options }) {
      let endedAtMs = Number.NEGATIVE_INFINITY;
      let state: 'runs' | 'waits_for_work' | 'hurries' = 'runs';
      const dueInMs = () => {
        if (last === undefined || last.begunAtMs < endedAtMs) return 0;
        const seconds = last.due[work];
        if (seconds === null) return LONGEST_WAIT_MS;
        return Math.min(LONGEST_WAIT_MS, last.endedAtMs + 1_000 * seconds - earlyMs - monotonicMs());
      };
      const rounds = repeat({
        ...options,
        async round(stopped) {
          const waitMs = state === 'hurries' ? 0 : dueInMs();
          if (waitMs > 0) {
            state = 'waits_for_work';
            return waitMs;
          }
          state = 'runs';
          try {
            return await round(stopped);
          } finally {
            endedAtMs = monotonicMs();
          }
        },
      });
      const onLooked = () => {
        if (state === 'waits_for_work') rounds.hurry();
      };
      onLook.add(onLooked);
      return {
        hurry() {
          state = 'hurries';
          rounds.hurry();
        },
        stop() {
          onLook.delete(onLooked);
          return rounds.stop();
        },
      };
    },
  };
}
