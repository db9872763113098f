import { ConnectionError, PosthornError, TimeoutError } from './errors.ts';

/** Ends one try, at its time limit or when the caller's signal aborts. */
export type Deadline = {
  signal: AbortSignal;
  /** Starts the time again, with a new limit. */
  restart(ms: number): void;
  /** Stops the time until `restart`. */
  pause(): void;
  /** Says that the response was read to its end: nothing listens to the signal any more. */
  answered(): void;
  end(): void;
  /** Turns what `fetch` threw into an error of this library, or into the reason of the caller's signal. */
  explain(error: unknown): Error;
};

export type Deadlines = { start(timeoutMs: number, outer: AbortSignal | undefined): Deadline };

/**
 * How many tries share an `AbortController`, one after the other. With a new one for each try, Node spent a tenth of
 * the time of a small request on it. `fetch` leaves its listeners on a signal until the next garbage collection, hence
 * the limit.
 */
const TRIES_EACH = 16;

type Reused = { controller: AbortController; tries: number };

export function createDeadlines(): Deadlines {
  const idle: Reused[] = [];
  return {
    start(timeoutMs, outer) {
      const reused = idle.pop() ?? { controller: new AbortController(), tries: 0 };
      const { controller } = reused;
      reused.tries += 1;
      let isLate = false;
      let isAnswered = false;
      let ms = timeoutMs;
      const expire = () => {
        isLate = true;
        controller.abort();
      };
      const follow = () => controller.abort(outer?.reason);
      let timer = setTimeout(expire, ms);
      if (outer?.aborted) follow();
      else outer?.addEventListener('abort', follow, { once: true });
      return {
        signal: controller.signal,
        restart(nextMs) {
          clearTimeout(timer);
          ms = nextMs;
          timer = setTimeout(expire, ms);
        },
        pause() {
          clearTimeout(timer);
        },
        answered() {
          isAnswered = true;
        },
        end() {
          clearTimeout(timer);
          outer?.removeEventListener('abort', follow);
          if (isAnswered && reused.tries < TRIES_EACH && !controller.signal.aborted) idle.push(reused);
        },
        explain(error) {
          if (outer?.aborted) return outer.reason;
          if (isLate) return new TimeoutError(`No complete answer within ${ms} ms`);
          if (error instanceof PosthornError) return error;
          // `fetch` wraps the reason. It may come from another realm, whose errors are not instances of this realm's
          // classes.
          const { message, cause } = error as { message?: string; cause?: { code?: unknown } };
          const reason = typeof cause?.code === 'string' ? cause.code : message;
          return new ConnectionError(`No complete answer: ${reason}`, { cause: error });
        },
      };
    },
  };
}
