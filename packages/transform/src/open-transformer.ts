import { type Claimant, createGate } from '@posthorn/runtime/gate';
import { LRUCache } from 'lru-cache';
import { openLane } from './lane.ts';
import { type Allows, type Outcome, outcomeOf } from './outcome.ts';
import type { Fault, Run, RunResult } from './sandbox.ts';

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
  result: 'made' | 'cancelled' | 'threw' | 'limit' | 'wrong_result' | 'busy';
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
/** Sent to the quick lane at once: its thread has work while this process does something else. */
const QUICK_AT_ONCE = 16;
/** Code that has not shown yet that it is quick, and may end its thread. */
const TRIED_AT_ONCE = 2;
/** All lanes together use at most one core. But the slow one never has less than a tenth of it. */
const MOST_REST = 9;
/** The computing that the start of a thread takes. It counts for the code that ended the last one. */
const START_MS = 150;
const WAITING = 2_000;
const WAITING_OF_WORKSPACE = 200;
/** In each lane. Two of them, with the longest run, are less than the margin of a lease. */
const WAITING_MS = 1_500;

/** The priority of threads that run code that may not end: on a busy machine, about a tenth of what the process gets. */
const BEHIND = 10;

class BusyError extends Error {}

type Job = Omit<Run, 'mostMs'>;

/** How often code must be quick in the slow lane before it is tried outside of it again; 0 for code that is quick. */
type Pace = { code: string; quickRunsDue: number };
const DUE_AFTER_SLOW = 1;
/** Code that ended its thread did not do so by chance, unless the machine was busy. */
const DUE_AFTER_STUCK = 100;

/**
 * Runs transformations on three threads. Code that is new is tried in the first lane. Code that was quick there runs in the
 * second one. In both a run is ended early, and runs once more in the third, the slow lane. It begins there the next time,
 * until it is quick again. So code that never stops, or ends its thread, delays only code of its kind and new code. In each
 * lane workspaces take turns. No thread is started before it has something to do. `onRan` is told of each
 * transformation of an event, and not of what its author tries.
 */
export function openTransformer(onRan: (ran: Ran) => void = () => {}): Transformer {
  const [trial, slow] = [openLane({ niceness: BEHIND }), openLane({ niceness: BEHIND })];
  const quick = openLane({ niceness: 0 });
  const waits = { waiting: WAITING, waitingOfWorkspace: WAITING_OF_WORKSPACE, forMs: WAITING_MS };
  const refusal = () => new BusyError('too many transformations wait');
  const trialTurns = createGate({ atOnce: TRIED_AT_ONCE, ...waits, refusal });
  const quickTurns = createGate({ atOnce: QUICK_AT_ONCE, ...waits, refusal });
  const slowTurns = createGate({ atOnce: 1, ...waits, refusal });
  const paces = new LRUCache<string, Pace>({ max: 50_000 });
  /** What the first two lanes have computed so far. */
  let quickMs = 0;

  async function runQuick(claimant: Claimant, isTrial: boolean, job: Job): Promise<RunResult> {
    const [turns, lane] = isTrial ? [trialTurns, trial] : [quickTurns, quick];
    const result = await turns.run(claimant, () => lane.run({ ...job, mostMs: QUICK_MS }));
    quickMs += result.computedMs;
    return result;
  }

  /** In the slow lane, the next run begins once all that was computed meanwhile fits into one core. */
  async function runSlow(claimant: Claimant, job: Job): Promise<RunResult> {
    const turn = slowTurns.enter(claimant);
    if (turn !== undefined) await turn;
    const before = quickMs;
    let restMs = 0;
    try {
      const result = await slow.run({ ...job, mostMs: SLOW_MS });
      const computedMs = result.computedMs + (result.isBroken ? START_MS : 0);
      if (computedMs >= QUICK_MS) restMs = Math.min(MOST_REST * computedMs, computedMs + quickMs - before);
      return result;
    } finally {
      if (restMs === 0) slowTurns.leave(claimant);
      else setTimeout(() => slowTurns.leave(claimant), restMs).unref();
    }
  }

  async function runFor(claimant: Claimant & { endpointId: string }, job: Job): Promise<RunResult> {
    const { endpointId } = claimant;
    const { code } = job;
    const found = paces.get(endpointId);
    let due = found?.code === code ? found.quickRunsDue : undefined;
    if (due === undefined || due === 0) {
      const result = await runQuick(claimant, due === undefined, job);
      due = dueAfter(result);
      paces.set(endpointId, { code, quickRunsDue: due });
      // A transformation has no effect but its result, so it may run again.
      if (result.kind === 'returned' || !result.isLimit) return result;
    }
    const result = await runSlow(claimant, job);
    due = dueAfter(result) === 0 ? due - 1 : Math.max(due, dueAfter(result));
    if (due > 0) paces.set(endpointId, { code, quickRunsDue: due });
    else paces.delete(endpointId);
    return result;
  }

  return {
    async transform(claimant, program) {
      const outcome = await unlessBusy(async () => {
        const result = await runFor(claimant, jobOf(program, false));
        const made = judged(result, program);
        onRan({ result: made.kind === 'failed' ? failureOf(result) : made.kind, computedMs: result.computedMs });
        return made;
      });
      if (outcome.kind === 'busy') onRan({ result: 'busy', computedMs: 0 });
      return outcome;
    },
    attempt: (claimant, program) =>
      unlessBusy(async () => {
        const result = await runSlow(claimant, jobOf(program, true));
        return { outcome: judged(result, program), logs: result.logs, durationMs: result.computedMs };
      }),
    check: (claimant, code) =>
      unlessBusy(async () => {
        const result = await runSlow(claimant, { code, wantsLogs: false });
        return result.kind === 'failed' ? result.fault : undefined;
      }),
    async close() {
      await Promise.all([trial.close(), quick.close(), slow.close()]);
    },
  };
}

/** What a run says about the next ones of its code. */
function dueAfter({ computedMs, isBroken }: RunResult): number {
  if (isBroken) return DUE_AFTER_STUCK;
  return computedMs < QUICK_MS ? 0 : DUE_AFTER_SLOW;
}

function jobOf({ code, event }: Program, wantsLogs: boolean): Job {
  return { code, input: JSON.stringify(event), wantsLogs };
}

function judged(result: RunResult, { event, allows }: Program): Outcome {
  return result.kind === 'failed'
    ? { kind: 'failed', ...result.fault }
    : outcomeOf(result.text, event.contentType, allows);
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
