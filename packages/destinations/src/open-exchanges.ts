/** The requests in progress, so that they can be aborted together. */
export type OpenExchanges = {
  /** Registers `abort` for `abortAll`. The returned function removes it. */
  add(abort: () => void): () => void;
  abortAll(): void;
  /** Whether `abortAll` has been called. */
  isAborted(): boolean;
};

type Open = { abort: () => void; index: number };

/**
 * Kept in an array, where the last entry takes the place of a removed one. A long-lived Set keeps its former tables and
 * their contents until a full garbage collection, which cost 8 KB for each request.
 */
export function createOpenExchanges(): OpenExchanges {
  const open: Open[] = [];
  let aborted = false;
  return {
    add(abort) {
      const one = { abort, index: open.length };
      open.push(one);
      return () => {
        if (open[one.index] !== one) return;
        const last = open.pop();
        if (last === undefined || last === one) return;
        open[one.index] = last;
        last.index = one.index;
      };
    },
    abortAll() {
      aborted = true;
      // Iterates over a copy, because each abort removes its entry.
      for (const { abort } of [...open]) abort();
    },
    isAborted: () => aborted,
  };
}
