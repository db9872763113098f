import type { ResolveName } from './resolve-name.ts';

type LimitOptions = {
  /** The most look-ups that run at once. */
  most: number;
  /** A look-up that has waited for this long is not made: it fails as `ETIMEOUT`. */
  waitMs: number;
};

/**
 * Limits the look-ups that run at once; the others wait in order. Each look-up has sockets and memory of its own, and a
 * hostile name server keeps it for all of its budget.
 */
export function limitLookups(resolveName: ResolveName, { most, waitMs }: LimitOptions): ResolveName {
  let running = 0;
  const waiting = new Set<() => void>();
  const turn = async () => {
    if (running >= most) return nextTurn(waiting, waitMs);
    running += 1;
  };
  return async (hostname) => {
    await turn();
    try {
      return await resolveName(hostname);
    } finally {
      const [next] = waiting;
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/** Resolves when a running look-up has ended and this one is next. */
function nextTurn(waiting: Set<() => void>, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = () => {
      clearTimeout(timer);
      waiting.delete(take);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(take);
      reject(Object.assign(new Error('too many names are looked up at once'), { code: 'ETIMEOUT' }));
    }, waitMs);
    waiting.add(take);
  });
}
