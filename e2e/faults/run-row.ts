import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Verdict } from './oracle.ts';
import { createRandom } from './random.ts';
import { type RigOptions, type Shape, startRig } from './rig.ts';
import type { Mark, Outcome, Row, Tools } from './row.ts';

/** The result of a row. */
export type Result = {
  row: string;
  fault: string;
  pass: string;
  shape: Shape;
  seed: number;
  scale: number;
  seconds: number;
  passed: boolean;
  /** Why the row is known to fail. It passed because it failed. */
  failsToday?: string;
  verdict?: Verdict;
  recoveryMs?: number;
  duplicatesAtMost?: number;
  marks: Mark[];
  /** The reasons why it did not pass. */
  faults: string[];
  /** What the row needs and this machine lacks. The row did not run, and counts as passed. */
  skipped?: string;
};

const RETRIES_LATE_AT_MOST_MS = 5_000;
const DRAIN_WITHIN_MS = 180_000;

export type RunOptions = {
  seed: number;
  scale: number;
  say: Tools['say'];
  /** The folder for the logs. Each row gets a subfolder. */
  logs: string;
  /** Settings that override those of the row. */
  rig?: RigOptions;
  /** Whether times are compared with their limits, which needs a machine without other load. Default true. */
  times?: boolean;
};

/** Starts a rig, runs the row, drains, judges the row and ends the rig. Never throws. */
export async function runRow(row: Row, options: RunOptions): Promise<Result> {
  const { seed, scale, say, logs, times = true } = options;
  const beganMs = performance.now();
  const { name, fault, pass } = row;
  const about = { row: name, fault, pass, shape: options.rig?.shape ?? row.rig?.shape ?? 'scaled', seed, scale };
  const seconds = () => Math.round((performance.now() - beganMs) / 100) / 10;
  try {
    const skipped = await row.missing?.();
    if (skipped !== undefined) return { ...about, seconds: seconds(), marks: [], faults: [], passed: true, skipped };
    const random = createRandom(seed);
    const rig = await startRig(random.fork('rig'), newFolder(join(logs, name)), {
      ...row.rig,
      ...options.rig,
      settings: { ...row.rig?.settings, ...options.rig?.settings },
    });
    try {
      const tools = {
        random: random.fork('row'),
        scaled: (events: number) => Math.max(1, Math.round(events * scale)),
        say,
      };
      const outcome = await within((row.withinMinutes ?? 10) * 60_000, row.run(rig, tools));
      await rig.drain(DRAIN_WITHIN_MS);
      const verdict = await rig.verdict();
      const faults = faultsOf(verdict, outcome, times);
      return { ...about, ...outcome, seconds: seconds(), verdict, ...judged(row, faults) };
    } finally {
      await rig.stop();
    }
  } catch (error) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ...about, seconds: seconds(), marks: [], faults: [words], passed: false };
  }
}

/** A row that is known to fail passes while it fails. */
function judged({ failsToday }: Row, faults: string[]): Pick<Result, 'faults' | 'passed' | 'failsToday'> {
  if (failsToday === undefined) return { faults, passed: faults.length === 0 };
  if (faults.length > 0) return { faults, passed: true, failsToday };
  return { faults: [`it passes now: remove its failsToday, "${failsToday}"`], passed: false };
}

function newFolder(path: string): string {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

function faultsOf(verdict: Verdict, outcome: Outcome, times: boolean): string[] {
  const limits: Mark[] = [
    ...(['lost', 'unexpected', 'corrupt', 'illegal', 'early'] as const).map((what) => ({
      what,
      value: verdict[what],
      atMost: 0,
    })),
    { what: 'duplicates', value: verdict.duplicates, atMost: outcome.duplicatesAtMost },
    {
      what: 'retry late',
      unit: 'ms',
      value: verdict.retryLateMs,
      atMost: outcome.retriesLateAtMostMs ?? RETRIES_LATE_AT_MOST_MS,
    },
    ...outcome.marks,
  ];
  return limits.flatMap(({ what, unit, value, atMost, atLeast }) => {
    if (unit === 'ms' && !times) return [];
    if (atMost !== undefined && value > atMost) return [`${what}: ${value}, at most ${atMost}`];
    if (atLeast !== undefined && value < atLeast) return [`${what}: ${value}, at least ${atLeast}`];
    return [];
  });
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it took more than ${ms / 60_000} minutes`)), ms);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
