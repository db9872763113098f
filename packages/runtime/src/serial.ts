/**
 * Runs the given work one at a time, in order, while at most `maxWaiting` wait; work that finds more waiting is not run,
 * and its promise resolves. A fault rejects its own caller's promise only, and the next work is run.
 */
export function createSerial(maxWaiting: number): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let pending = 0;
  return async (work) => {
    if (pending > maxWaiting) return;
    pending += 1;
    const mine = last.then(work).finally(() => {
      pending -= 1;
    });
    last = mine.catch(() => undefined);
    return mine;
  };
}
