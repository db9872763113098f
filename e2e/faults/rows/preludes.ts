// What is done to a process from within, before its own code runs. Each function goes over as its text: it may use nothing
// but Node's globals and what it is given.

/** The arguments for Node that run this function in the process first. */
export function runFirst<Given>(prelude: (given: Given) => void, given: Given): string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(`(${prelude})(${JSON.stringify(given)})`)}`];
}

/** The wall clock goes wrong by so much; the monotonic one, and timers, do not. */
export function shiftClock({ byMs }: { byMs: number }): void {
  globalThis.Date = new Proxy(Date, {
    construct: (real, given, made) => Reflect.construct(real, given.length === 0 ? [real.now() + byMs] : given, made),
    apply: (real) => new real(real.now() + byMs).toString(),
    get: (real, name) => (name === 'now' ? () => real.now() + byMs : Reflect.get(real, name)),
  });
}

/** At SIGUSR2 nothing more is done in this process for so long. */
export function blockOnSignal({ forMs }: { forMs: number }): void {
  process.on('SIGUSR2', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs));
}

/** An answer with this header ends the process, as a bug that one delivery hits would. */
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
