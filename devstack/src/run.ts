import { type Clock, systemClock } from '@posthorn/runtime/clock';
import { Failure } from './failure.ts';
import { red, say, sayBlock } from './say.ts';

/** Ends one thing that was started. It must end soon after `hurry` aborts, by force if necessary. */
export type StopStep = {
  name: string;
  /** When `hurry` aborts, counted from the beginning of the stop. */
  hurryAfterMs: number;
  stop: (hurry: AbortSignal) => Promise<void>;
};

/** The lifetime of a running command. */
export type Run = {
  clock: Clock;
  /** Aborts when the stop begins, for any reason. */
  signal: AbortSignal;
  /**
   * Registers a stop step for something that is about to be started. Steps run one after another, the last registered
   * first.
   */
  onStop(step: StopStep): void;
  /** Begins the stop because of a permanent failure. */
  fail(cause: Error): void;
};

// npm forwards Ctrl-C to a process that already got it from the terminal: a second signal this soon is not a request to
// hurry.
const IMPATIENT_AFTER_MS = 1_000;
const BODY_MAY_TAKE_MS = 3_000;
const FORCE_MAY_TAKE_MS = 3_000;

/**
 * Runs a command that starts programs, and makes sure that all of them end, however the command ends: by itself, by a
 * failure, by SIGINT, SIGTERM or SIGHUP; immediately on a second signal. Returns the exit code: that of the body, 0 (or
 * `interruptedCode`) after a signal, 2 for invalid settings, else 1.
 */
export async function runToEnd(body: (run: Run) => Promise<number>, interruptedCode = 0): Promise<number> {
  const clock = systemClock;
  const steps: StopStep[] = [];
  const stopping = new AbortController();
  const impatience = new AbortController();
  let signalledAtMs: number | undefined;

  const onSignal = (name: NodeJS.Signals) => {
    if (signalledAtMs === undefined) {
      signalledAtMs = clock.monotonicMs();
      say('stop', `${name}: stopping (once more to stop at once) …`);
      stopping.abort(new Interrupted(name));
    } else if (clock.monotonicMs() - signalledAtMs > IMPATIENT_AFTER_MS) {
      impatience.abort();
    }
  };
  const fail = (cause: unknown) => stopping.abort(cause instanceof Error ? cause : new Error(String(cause)));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);

  const working = body({ clock, signal: stopping.signal, onStop: (step) => steps.push(step), fail });
  // Running steps react to the signal; a step that does not is not awaited.
  const code = await Promise.race([
    working.catch((error: unknown) =>
      codeOf(stopping.signal.aborted ? stopping.signal.reason : error, interruptedCode),
    ),
    aborted(stopping.signal)
      .then(() => wait(BODY_MAY_TAKE_MS))
      .then(() => codeOf(stopping.signal.reason, interruptedCode)),
  ]);
  stopping.abort(new Interrupted('the end'));
  await stopAll(steps, impatience.signal, clock);
  if (signalledAtMs !== undefined) say('stop', 'stopped.');
  return code;
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

class Interrupted extends Error {
  override name = 'Interrupted';
}

async function stopAll(steps: StopStep[], impatience: AbortSignal, clock: Clock): Promise<void> {
  const beganMs = clock.monotonicMs();
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const hurry = new AbortController();
    const left = Math.max(0, step.hurryAfterMs - (clock.monotonicMs() - beganMs));
    const timer = setTimeout(() => hurry.abort(), left);
    void aborted(impatience).then(() => hurry.abort());
    const forced = aborted(hurry.signal).then(() => wait(FORCE_MAY_TAKE_MS));
    try {
      await Promise.race([step.stop(hurry.signal), forced]);
    } catch (error) {
      say('stop', red(`${step.name} did not stop cleanly: ${error instanceof Error ? error.message : error}`));
    }
    clearTimeout(timer);
  }
}

function codeOf(cause: unknown, interruptedCode: number): number {
  if (cause instanceof Interrupted) return interruptedCode;
  if (cause instanceof Failure) {
    sayBlock(`\n${red(cause.message)}\n${cause.next}\n`);
    return cause.exitCode;
  }
  sayBlock(`\n${red('Something unexpected stopped the start.')}\n${cause instanceof Error ? cause.stack : cause}\n`);
  return 1;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
