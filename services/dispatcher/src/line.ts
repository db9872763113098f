/**
 * Runs what it is given one at a time, in order, while at most `mostWaiting` wait for their turn; what finds the line
 * full is not run. A fault is its own caller's, and the next in line goes on.
 */
export function createLine(mostWaiting: number): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let inLine = 0;
  return async (work) => {
    if (inLine > mostWaiting) return;
    inLine += 1;
    const mine = last.then(work).finally(() => {
      inLine -= 1;
    });
    last = mine.catch(() => undefined);
    return mine;
  };
}
