import { ApiError } from './error.ts';

/** Runs `work`; throws `rate_limited` when the limit of running work for `key` is reached. */
export type ConcurrencyLimit = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets at most `most` works of each key run at once in this process. `what` is their name in the message, in the
 * plural.
 */
export function createConcurrencyLimit({ most, what }: { most: number; what: string }): ConcurrencyLimit {
  const running = new Map<string, number>();
  return async (key, work) => {
    const before = running.get(key) ?? 0;
    if (before >= most) {
      throw new ApiError('rate_limited', `At most ${most} ${what} may run at once`, { 'Retry-After': '1' });
    }
    running.set(key, before + 1);
    try {
      return await work();
    } finally {
      const left = (running.get(key) ?? 1) - 1;
      if (left === 0) running.delete(key);
      else running.set(key, left);
    }
  };
}
