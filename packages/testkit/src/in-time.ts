/**
 * Repeats `work` until it takes less than `withinMs`, and returns its result. Use it for a state that only lasts so
 * long, on a machine that may be slow. `work` sets up the state anew each time. Check its result afterwards.
 */
export async function inTime<Result>(withinMs: number, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const startedMs = performance.now();
    const result = await work();
    if (performance.now() - startedMs < withinMs) return result;
  }
}
