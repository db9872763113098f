/** The requests under way, to be aborted together. */
export type OpenExchanges = {
  /** `abort` is called by `abortAll`; the function that it returns takes it out again. */
  add(abort: () => void): () => void;
  abortAll(): void;
  /** Whether `abortAll` has been called. */
  isAborted(): boolean;
};

type Open = { abort: () => void; index: number };

/**
 * An array in which the last entry takes the place of one that is removed. A Set that lives long keeps each table that it
 * has outgrown, with all that was in it, until a full collection: that was 8 KB of each request.
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
      // A copy: each abort removes its entry.
      for (const { abort } of [...open]) abort();
    },
    isAborted: () => aborted,
  };
}
