/** Calls `whenAborted` once the signal fires; the function that it returns takes that back. */
export type AbortRelay = (signal: AbortSignal, whenAborted: () => void) => () => void;

/**
 * Hears each signal once, however many requests wait for it: listeners of their own would cost every request a walk
 * through all of them, and make Node warn of a leak from the eleventh on.
 */
export function createAbortRelay(): AbortRelay {
  const waitingBySignal = new WeakMap<AbortSignal, Set<() => void>>();

  const hear = (signal: AbortSignal): Set<() => void> => {
    const waiting = new Set<() => void>();
    signal.addEventListener('abort', () => waiting.forEach((whenAborted) => void whenAborted()), { once: true });
    waitingBySignal.set(signal, waiting);
    return waiting;
  };
  return (signal, whenAborted) => {
    const waiting = waitingBySignal.get(signal) ?? hear(signal);
    waiting.add(whenAborted);
    return () => waiting.delete(whenAborted);
  };
}
