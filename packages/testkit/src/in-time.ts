/**
 * Repeats `work` until it took less than `withinMs`, and returns its result: for a state that lasts only so long, on a
 * machine that may be slow. `work` sets the state up anew; what is expected of the result is checked afterwards.
 */
export async function inTime<Result>(withinMs: number, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const startedMs = performance.now();
    const result = await work();
    if (performance.now() - startedMs < withinMs) return result;
  }
}
