import { type Clock, systemClock } from '@posthorn/runtime/clock';
import { Failure } from './failure.ts';
import { red, say, sayBlock } from './say.ts';

/** How one thing that was started is ended. It must end soon after `hurry` aborts, by force if need be. */
export type StopStep = {
  name: string;
  /** When patience ends, counted from the beginning of the stop. */
  hurryAfterMs: number;
  stop: (hurry: AbortSignal) => Promise<void>;
};

/** What a running command knows about its own end. */
export type Run = {
  clock: Clock;
  /** Aborts when the stop begins, for whatever reason. */
  signal: AbortSignal;
  /** Registers how to end what is about to be started. Steps run one after another, last registered first. */
  onStop(step: StopStep): void;
  /** Begins the stop because something broke that cannot be mended. */
  fail(cause: Error): void;
};

// npm passes a terminal's Ctrl-C on to a process that had it already: the second of two such signals is no impatience.
const IMPATIENT_AFTER_MS = 1_000;
const BODY_MAY_TAKE_MS = 3_000;
const FORCE_MAY_TAKE_MS = 3_000;

/**
 * Runs a command that starts things and sees to it that they all end, however the command ends: by itself, by a
 * failure, by SIGINT, SIGTERM or SIGHUP, at once on a second signal. Answers the exit code: the body's own, 0 after a
 * signal (or `interruptedCode`), else 1, or 2 for settings that cannot be used.
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
  // What is under way heeds the signal; a step that does not is not waited for.
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
