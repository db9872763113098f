import { createHash } from 'node:crypto';
import { atMost } from '@posthorn/runtime/at-most';
import { type Clock, systemClock } from '@posthorn/runtime/clock';
import { type Claimant, createGate } from '@posthorn/runtime/gate';
import { LRUCache } from 'lru-cache';
import { MARK, type Rounded, roundedIn } from './exact-numbers.ts';
import { openLane } from './lane.ts';
import { type Allows, type Outcome, outcomeOf } from './outcome.ts';
import type { Fault, Run, RunResult } from './run.ts';

/** What the code gets (docs/interface.md, Transformations). `body` is null if the payload is not a text. */
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
  /** The computing that it took. */
  durationMs: number;
};

/** Too many transformations wait. */
export type Busy = { kind: 'busy' };

/** How a transformation of an event went, for metrics. */
export type Ran = {
  result: 'made' | 'cancelled' | 'threw' | 'limit' | 'wrong_result' | 'paused' | 'busy';
  computedMs: number;
};

export type Transformer = {
  /** Transforms an event for the endpoint. Rejects only for our own fault. */
  transform(claimant: Claimant & { endpointId: string }, program: Program): Promise<Outcome | Busy>;
  /** As `transform`, with the logs, for the author of the code. */
  attempt(claimant: Claimant, program: Program): Promise<Tried | Busy>;
  /** Whether the code compiles and has the function; its fault if not. */
  check(claimant: Claimant, code: string): Promise<Fault | Busy | undefined>;
  close(): Promise<void>;
};

/** The most computing of a run in the quick lane. Code that needs more runs once more, in the slow lane. */
const QUICK_MS = 10;
/** The computing that a transformation may take. */
const SLOW_MS = 50;
/** The milliseconds of work in the quick lane at once: its thread has work while this process does something else. */
const QUICK_AT_ONCE = 16;
/** Code that has not shown yet that it is quick, and may not end. */
const TRIED_AT_ONCE = 2;
/** All lanes together use at most one core. But the slow one never has less than a tenth of it. */
const MOST_REST = 9;
/** Code that ran out of its time rests for this many times the time that it computed: it leaves the slow lane to code that ends. */
const REST_AFTER_LIMIT = 3;
/** After this many runs in a row that met a limit, the code is paused. Code that has not ended by itself yet: after the first. */
const LIMITS_BEFORE_PAUSE = 3;
/** A run that took longer, because of a single step, is enough for a pause. */
const FAR_TOO_LONG_MS = 2 * SLOW_MS;
const PAUSE_MS = 60_000;
const WAITING = 2_000;
const WAITING_OF_WORKSPACE = 200;
/** An author waits longer than an event: the run before may have a step that takes 3 s, and rests after it. */
const AUTHOR_WAITS_MS = 5_000;
/** In each lane. Two of them, with the longest run, are less than the margin of a lease. */
const WAITING_MS = 1_500;

/** The priority of threads that run code that may not end: on a busy machine, about a tenth of what the process gets. */
const BEHIND = 10;

class BusyError extends Error {}

type Job = Omit<Run, 'mostMs'>;

type Pace = {
  /** The digest of the code: the codes of 50,000 endpoints would take 2 GB. */
  digest: string;
  /** How often the code must be quick in the slow lane before it is tried outside of it again; 0 for code that is quick. */
  quickRunsDue: number;
  /** The computing of the last run; undefined if the code is to be tried like new code. */
  computedMs: number | undefined;
  /** The runs in a row that met a limit, up to the last one. */
  limitsInARow: number;
  paused: Paused | undefined;
};
type Paused = { kind: 'paused'; fault: Fault; untilMs: number };
const DUE_AFTER_SLOW = 1;
/** Code that broke the interpreter did not do so by chance, unless the machine was busy. */
const DUE_AFTER_BROKEN = 100;

/**
 * Runs transformations on three threads. Code that is new is tried in the first lane. Code that was quick there runs in the
 * second one. In both a run is ended early, and runs once more in the third, the slow lane. It begins there the next time,
 * until it is quick again. So code that never stops, or breaks its interpreter, delays only code of its kind and new code.
 * Code that meets its limits again and again is paused: meanwhile its events fail without a run. In each lane owners of
 * workspaces take turns. No thread is started before it has something to do. `onRan` is told of each transformation of an
 * event, and not of what its author tries.
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
  /** What the first two lanes have computed so far. */
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
   * In the slow lane, the next run begins once all that was computed meanwhile fits into one core. `pauseOf` is asked when
   * the turn has come: the code may have been paused since.
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
      // A transformation has no effect but its result, so it may run again.
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

  /** For the author: code that met its limit in three runs in a row is paused here as it is for events. */
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

/** What a run says about the next ones of its code. */
function dueAfter({ computedMs, isBroken }: RunResult): number {
  if (isBroken) return DUE_AFTER_BROKEN;
  return computedMs < QUICK_MS ? 0 : DUE_AFTER_SLOW;
}

/** A program with what the interpreter gets beside its code. */
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
