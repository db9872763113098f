/** Calls `whenAborted` once the signal fires; the function that it returns takes that back. */
export type AbortRelay = (signal: AbortSignal, whenAborted: () => void) => () => void;

type Waiting = { whenAborted: () => void; place: number };

/**
 * Hears each signal once, however many requests wait for it: listeners of their own would cost every request a walk
 * through all of them, and make Node warn of a leak from the eleventh on. They wait in an array, for a Set that lives
 * long keeps what it once held until a full collection: that was 8 KB of each request.
 */
export function createAbortRelay(): AbortRelay {
  const waitingBySignal = new WeakMap<AbortSignal, Waiting[]>();

  const hear = (signal: AbortSignal): Waiting[] => {
    const waiting: Waiting[] = [];
    signal.addEventListener('abort', () => [...waiting].forEach(({ whenAborted }) => void whenAborted()), {
      once: true,
    });
    waitingBySignal.set(signal, waiting);
    return waiting;
  };
  return (signal, whenAborted) => {
    const waiting = waitingBySignal.get(signal) ?? hear(signal);
    const one = { whenAborted, place: waiting.length };
    waiting.push(one);
    return () => {
      if (waiting[one.place] !== one) return;
      const last = waiting.pop();
      if (last === undefined || last === one) return;
      waiting[one.place] = last;
      last.place = one.place;
    };
  };
}
