import { ApiError } from './error.ts';

/** Runs `work`, unless as much as may run at once for `key` is under way; then it throws `rate_limited`. */
export type ConcurrencyLimit = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Lets at most `most` run at once for each key in this process. `what` names them in the message, in the plural. */
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
