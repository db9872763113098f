/**
 * Runs the given work one at a time, in order. Work that finds `maxWaiting` or more waiting is not run, and its promise
 * resolves. An error rejects only its own caller's promise, and the next work runs.
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
