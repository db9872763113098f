// Code that runs inside a process before its own code. Each function is passed as text, so it may use only Node's
// globals and its argument.

/** Arguments for Node that run this function first in the process. */
export function runFirst<Given>(prelude: (given: Given) => void, given: Given): string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(`(${prelude})(${JSON.stringify(given)})`)}`];
}

/**
 * Shifts the wall clock by `byMs`, but not the monotonic clock or timers. At each SIGUSR2, it jumps by the next value
 * of `jumps` for `forMs`.
 */
export function shiftClock({ byMs, jumps }: { byMs: number; jumps?: { byMs: number[]; forMs: number } }): void {
  let offMs = byMs;
  let jumped = 0;
  globalThis.Date = new Proxy(Date, {
    construct: (real, given, made) => Reflect.construct(real, given.length === 0 ? [real.now() + offMs] : given, made),
    apply: (real) => new real(real.now() + offMs).toString(),
    get: (real, name) => (name === 'now' ? () => real.now() + offMs : Reflect.get(real, name)),
  });
  if (jumps === undefined) return;
  process.on('SIGUSR2', () => {
    offMs = byMs + (jumps.byMs[jumped % jumps.byMs.length] ?? 0);
    jumped += 1;
    setTimeout(() => {
      offMs = byMs;
    }, jumps.forMs);
  });
}

/** Blocks the event loop for `forMs` at SIGUSR2. */
export function blockOnSignal({ forMs }: { forMs: number }): void {
  process.on('SIGUSR2', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs));
}

/** Ends the process at a response with this header, like a bug that one delivery triggers. */
export function dieOfAnswer({ header }: { header: string }): void {
  const https = process.getBuiltinModule('node:https');
  const original = https.request;
  https.request = new Proxy(original, {
    apply(real, self, given: Parameters<typeof original>) {
      const request = Reflect.apply(real, self, given);
      request.prependListener('response', (answer) => {
        if (answer.headers[header] !== undefined) process.kill(process.pid, 'SIGKILL');
      });
      return request;
    },
  });
  process.getBuiltinModule('node:module').syncBuiltinESMExports();
}
