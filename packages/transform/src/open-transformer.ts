import { createHash } from 'node:crypto';
import { atMost } from '@posthorn/runtime/at-most';
import { type Clock, systemClock } from '@posthorn/runtime/clock';
import { type Claimant, createGate } from '@posthorn/runtime/gate';
import { LRUCache } from 'lru-cache';
import { MARK, type Rounded, roundedIn } from './exact-numbers.ts';
import { openLane } from './lane.ts';
import { type Allows, type Outcome, outcomeOf } from './outcome.ts';
import type { Fault, Run, RunResult } from './run.ts';

/** The event that the code gets (docs/interface.md, Transformations). `body` is null if the payload is not text. */
export type TransformEvent = {
  id: string;
  type: string | null;
  createdAt: string;
  applicationId: string | null;
  contentType: string | null;
  body: string | null;
  endpoint: { id: string; metadata: Readonly<Record<string, string>> };
};

export type Program = { code: string; event: TransformEvent; allows: Allows };

export type Tried = {
  outcome: Outcome;
  /** The first 50 lines of `console.log`. */
  logs: string[];
  /** The computing time of the run. */
  durationMs: number;
};

/** The result when too many transformations wait. */
export type Busy = { kind: 'busy' };

/** How a transformation of an event went, for metrics. */
export type Ran = {
  result: 'made' | 'cancelled' | 'threw' | 'limit' | 'wrong_result' | 'paused' | 'busy';
  computedMs: number;
};

export type Transformer = {
  /** Transforms an event for the endpoint. Rejects only for an error of Posthorn. */
  transform(claimant: Claimant & { endpointId: string }, program: Program): Promise<Outcome | Busy>;
  /** Runs like `transform`, and also returns the logs, for the author of the code. */
  attempt(claimant: Claimant, program: Program): Promise<Tried | Busy>;
  /** Checks that the code compiles and defines `transform`. Returns its fault, or undefined. */
  check(claimant: Claimant, code: string): Promise<Fault | Busy | undefined>;
  close(): Promise<void>;
};

/** The most computing time of a run in the trial and quick lanes. Code that needs more runs again in the slow lane. */
const QUICK_MS = 10;
/** The most computing time of a transformation. */
const SLOW_MS = 50;
/** The work in the quick lane at once, in milliseconds: its thread has work while the process does something else. */
const QUICK_AT_ONCE = 16;
/** The runs in the trial lane at once. It runs code that has not yet shown that it is quick, or that it ends. */
const TRIED_AT_ONCE = 2;
/**
 * After a run, the slow lane rests for at most this many times the run's computing time. So all lanes together use at
 * most one core, but the slow lane never gets less than a tenth of it.
 */
const MOST_REST = 9;
/**
 * After code ran out of time, the slow lane rests for this many times its computing time. So code that ends gets more
 * of it.
 */
const REST_AFTER_LIMIT = 3;
/**
 * Code is paused after this many runs in a row that met a limit. Code that has never ended by itself is paused after
 * one.
 */
const LIMITS_BEFORE_PAUSE = 3;
/** A single run that took longer than this, because of one step, is enough for a pause. */
const FAR_TOO_LONG_MS = 2 * SLOW_MS;
const PAUSE_MS = 60_000;
const WAITING = 2_000;
const WAITING_OF_WORKSPACE = 200;
/** An author waits longer than an event: the run before may have a step of 3 s, and the lane rests after it. */
const AUTHOR_WAITS_MS = 5_000;
/** The longest wait in one lane. Two waits and the longest run together fit into the margin of a lease. */
const WAITING_MS = 1_500;

/**
 * The niceness of threads for code that may never end: on a busy machine they get about a tenth of the main thread's
 * CPU.
 */
const BEHIND = 10;

class BusyError extends Error {}

type Job = Omit<Run, 'mostMs'>;

type Pace = {
  /** The digest of the code. It is kept instead of the code: the code of 50,000 endpoints would take 2 GB. */
  digest: string;
  /**
   * The quick runs that the code still needs in the slow lane before it runs in a faster lane again; 0 for quick code.
   */
  quickRunsDue: number;
  /** The computing time of the last run; undefined if the code must go through the trial lane again. */
  computedMs: number | undefined;
  /** The most recent runs in a row that met a limit. */
  limitsInARow: number;
  paused: Paused | undefined;
};
type Paused = { kind: 'paused'; fault: Fault; untilMs: number };
const DUE_AFTER_SLOW = 1;
/** The quick runs that code needs after it broke the interpreter. Only a busy machine would break it by chance. */
const DUE_AFTER_BROKEN = 100;

/**
 * Runs transformations on three threads. New code is tried in the trial lane. Code that was quick there runs in the
 * quick lane. Both end a run early, and run it once more in the slow lane. Later runs of that code begin in the slow
 * lane until it is quick again. So code that never stops, or breaks its interpreter, delays only similar code and new
 * code. Code that meets its limits again and again is paused: meanwhile its events fail without a run. In each lane,
 * owners of workspaces take turns. A thread starts when it gets its first run. `onRan` is called for each
 * transformation of an event, but not for the runs of an author.
 */
export function openTransformer(onRan: (ran: Ran) => void = () => {}, clock: Clock = systemClock): Transformer {
  const [trial, slow] = [
    openLane({ niceness: BEHIND, endsSteps: true }),
    openLane({ niceness: BEHIND, endsSteps: true }),
  ];
  const quick = openLane({ niceness: 0, endsSteps: false });
  const waits = { waiting: WAITING, waitingOfWorkspace: WAITING_OF_WORKSPACE, forMs: WAITING_MS };
  const refusal = () => new BusyError('too many transformations wait');
  const trialTurns = createGate({ atOnce: TRIED_AT_ONCE, ...waits, refusal });
  const quickTurns = createGate({ atOnce: QUICK_AT_ONCE, ...waits, refusal });
  const slowTurns = createGate({ atOnce: 1, ...waits, refusal });
  const paces = new LRUCache<string, Pace>(atMost(50_000));
  /** The computing time of the trial and quick lanes so far. */
  let quickMs = 0;

  async function runQuick(claimant: Claimant, expectedMs: number | undefined, job: Job): Promise<RunResult> {
    const run = { ...job, mostMs: QUICK_MS };
    const result =
      expectedMs === undefined
        ? await trialTurns.run(claimant, () => trial.run(run))
        : await quickTurns.run(claimant, () => quick.run(run), { weight: Math.max(1, Math.ceil(expectedMs)) });
    quickMs += result.computedMs;
    return result;
  }

  /**
   * Runs a job in the slow lane. The lane then rests until the computing time of all lanes meanwhile fits into one
   * core. `pauseOf` is called when the turn has come: the code may have been paused since.
   */
  async function runSlow(
    claimant: Claimant,
    job: Job,
    { pauseOf, waitsMs }: { pauseOf: () => Paused | undefined; waitsMs?: number },
  ): Promise<RunResult | Paused> {
    const turn = slowTurns.enter(claimant, undefined, waitsMs);
    if (turn !== undefined) await turn;
    const before = quickMs;
    let restMs = 0;
    try {
      const paused = pauseOf();
      if (paused !== undefined) return paused;
      const result = await slow.run({ ...job, mostMs: SLOW_MS });
      const { computedMs } = result;
      const times = hasMetLimit(result) ? REST_AFTER_LIMIT : 1;
      if (computedMs >= QUICK_MS) restMs = Math.min(MOST_REST * computedMs, times * computedMs + quickMs - before);
      return result;
    } finally {
      if (restMs === 0) slowTurns.leave(claimant);
      else setTimeout(() => slowTurns.leave(claimant), restMs).unref();
    }
  }

  async function runFor(claimant: Claimant & { endpointId: string }, job: Job): Promise<RunResult | Paused> {
    const { endpointId } = claimant;
    const digest = createHash('sha256').update(job.code).digest('base64');
    const paceNow = () => {
      const found = paces.get(endpointId);
      return found?.digest === digest ? found : undefined;
    };
    const pauseNow = () => {
      const paused = paceNow()?.paused;
      return paused !== undefined && clock.monotonicMs() < paused.untilMs ? paused : undefined;
    };
    const known = paceNow();
    const paused = pauseNow();
    if (paused !== undefined) return paused;
    if (known === undefined || known.quickRunsDue === 0) {
      const result = await runQuick(claimant, known?.computedMs, job);
      // A transformation has no side effects, so it may run again.
      const isOver = !hasMetLimit(result) || (known?.computedMs === undefined && result.computedMs > SLOW_MS);
      if (isOver) {
        paces.set(endpointId, paceAfter(result, digest, known));
        return result;
      }
    }
    const result = await runSlow(claimant, job, { pauseOf: pauseNow });
    if (result.kind === 'paused') return result;
    const pace = paceAfter(result, digest, paceNow());
    paces.set(endpointId, pace.quickRunsDue > 0 ? pace : { ...pace, computedMs: undefined });
    return result;
  }

  /** Runs an author's code. Three runs in a row that met a limit pause it, as they do for events. */
  async function runForAuthor(claimant: Claimant, job: Job): Promise<RunResult | Paused> {
    const digest = createHash('sha256').update(job.code).digest('base64');
    const key = `${claimant.workspaceId}/${digest}`;
    const pauseOf = () => {
      const paused = paces.get(key)?.paused;
      return paused !== undefined && clock.monotonicMs() < paused.untilMs ? paused : undefined;
    };
    const result = pauseOf() ?? (await runSlow(claimant, job, { pauseOf, waitsMs: AUTHOR_WAITS_MS }));
    if (result.kind === 'paused') return result;
    const before = paces.get(key);
    if (hasMetLimit(result)) paces.set(key, paceAfter(result, digest, before ?? { ...NEW, limitsInARow: 0 }));
    else if (before !== undefined) paces.delete(key);
    return result;
  }

  function paceAfter(result: RunResult, digest: string, before: typeof NEW | undefined): Pace {
    const { quickRunsDue, limitsInARow: limitsBefore } = before ?? NEW;
    const due = dueAfter(result);
    const { computedMs } = result;
    const pace = {
      digest,
      computedMs,
      quickRunsDue: due === 0 ? Math.max(0, quickRunsDue - 1) : Math.max(quickRunsDue, due),
    };
    if (result.kind !== 'failed' || !result.isLimit) return { ...pace, limitsInARow: 0, paused: undefined };
    const isFarTooLong = computedMs > FAR_TOO_LONG_MS;
    const limitsInARow = Math.max(limitsBefore + 1, isFarTooLong ? LIMITS_BEFORE_PAUSE : 0);
    if (limitsInARow < LIMITS_BEFORE_PAUSE) return { ...pace, limitsInARow, paused: undefined };
    const message = `${result.fault.message}. It is paused for a minute, because it met a limit`;
    return {
      ...pace,
      limitsInARow,
      paused: { kind: 'paused', fault: { ...result.fault, message }, untilMs: clock.monotonicMs() + PAUSE_MS },
    };
  }

  return {
    async transform(claimant, program) {
      const outcome = await unlessBusy<Outcome>(async () => {
        const job = read(program);
        const result = await runFor(claimant, { code: job.code, input: job.input, wantsLogs: false });
        if (result.kind === 'paused') {
          onRan({ result: 'paused', computedMs: 0 });
          return { ...result.fault, kind: 'failed' };
        }
        const made = judged(result, job);
        onRan({ result: made.kind === 'failed' ? failureOf(result) : made.kind, computedMs: result.computedMs });
        return made;
      });
      if (outcome.kind === 'busy') onRan({ result: 'busy', computedMs: 0 });
      return outcome;
    },
    attempt: (claimant, program) =>
      unlessBusy<Tried>(async () => {
        const job = read(program);
        const result = await runForAuthor(claimant, { code: job.code, input: job.input, wantsLogs: true });
        if (result.kind === 'paused') return { outcome: { ...result.fault, kind: 'failed' }, logs: [], durationMs: 0 };
        return { outcome: judged(result, job), logs: result.logs, durationMs: result.computedMs };
      }),
    check: (claimant, code) =>
      unlessBusy(async () => {
        const result = await runForAuthor(claimant, { code, wantsLogs: false });
        return result.kind === 'returned' ? undefined : result.fault;
      }),
    async close() {
      await Promise.all([trial.close(), quick.close(), slow.close()]);
    },
  };
}

const NEW = { quickRunsDue: 0, limitsInARow: LIMITS_BEFORE_PAUSE - 1 };

function hasMetLimit(result: RunResult): boolean {
  return result.kind === 'failed' && result.isLimit;
}

/** The quick runs that the code needs in the slow lane after this run. */
function dueAfter({ computedMs, isBroken }: RunResult): number {
  if (isBroken) return DUE_AFTER_BROKEN;
  return computedMs < QUICK_MS ? 0 : DUE_AFTER_SLOW;
}

/** Adds the interpreter's input to a program. */
function read({ event, ...program }: Program): ReadProgram {
  const rounded = roundedIn(event.body);
  const input = JSON.stringify({ event, mark: MARK, rounded: rounded?.places ?? [] });
  return { ...program, contentType: event.contentType, rounded, input };
}

type ReadProgram = Omit<Program, 'event'> & {
  contentType: string | null;
  rounded: Rounded | undefined;
  input: string;
};

function judged(result: RunResult, program: ReadProgram): Outcome {
  return result.kind === 'failed' ? { kind: 'failed', ...result.fault } : outcomeOf(result.text, program);
}

function failureOf(result: RunResult): 'threw' | 'limit' | 'wrong_result' {
  if (result.kind === 'returned') return 'wrong_result';
  return result.isLimit ? 'limit' : 'threw';
}

async function unlessBusy<Result>(work: () => Promise<Result>): Promise<Result | Busy> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BusyError) return { kind: 'busy' };
    throw error;
  }
}
