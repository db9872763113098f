import type { Random } from './random.ts';
import type { Rig, RigOptions, Shape } from './rig.ts';

/** One fault: its description, the pass mark and the code. */
export type Row = {
  /** In kebab-case; `--only` selects rows by it. */
  name: string;
  fault: string;
  /** The pass mark, in words. */
  pass: string;
  /** What is wrong today, if the row is known to fail. A row that passes although it has this fails the run: remove it then. */
  failsToday?: string;
  /** The row stops, restarts or fills the stores, so it runs only if the stores belong to the run. */
  ownStores?: boolean;
  rig?: RigOptions;
  /** The shapes in which the row means something; default all. Without `--shape` it runs in the shape of its rig. */
  shapes?: readonly Shape[];
  /** Resolves with the name of a thing that the row needs and this machine does not have. The row is skipped then. */
  missing?: () => Promise<string | undefined>;
  /** The time limit at scale 1, drain included; default 10 minutes. */
  withinMinutes?: number;
  /** Runs the load and the fault. Open deliveries are drained and judged afterwards. */
  run: (rig: Rig, tools: Tools) => Promise<Outcome>;
};

export const SHAPES: readonly Shape[] = ['scaled', 'postgres', 'one'];
/** The shapes without Redis. */
export const WITHOUT_REDIS: readonly Shape[] = ['postgres', 'one'];
/** The shapes in which a dispatcher can be away while an API is there. */
export const TWO_SERVICES: readonly Shape[] = ['scaled', 'postgres'];

/** The shape in which it runs; undefined if it means nothing in the wanted one. */
export function shapeOfRow({ shapes = SHAPES, rig }: Pick<Row, 'shapes' | 'rig'>, wanted?: Shape): Shape | undefined {
  const shape = wanted ?? rig?.shape ?? 'scaled';
  return shapes.includes(shape) ? shape : undefined;
}

export type Tools = {
  /** Draws times, victims and sizes from the row's seed. */
  random: Random;
  /** Scales a number of events, deaths or seconds to the run's scale; at least 1. */
  scaled: (events: number) => number;
  /** Prints a line of progress. */
  say: (line: string) => void;
};

/** The measurements of a row, beyond the rules for all rows: nothing lost, unexpected, corrupt, illegal or early. */
export type Outcome = {
  /** The most duplicate receipts that are allowed. */
  duplicatesAtMost: number;
  /** The allowed lateness of a retry after its due time or the end of an outage over it. Default 5 s. */
  retriesLateAtMostMs?: number;
  /** The time from the end of the fault until work resumed. */
  recoveryMs?: number;
  marks: Mark[];
};

/**
 * A measured value and its limit; without a limit it is only shown. Times have a unit, and `times: false` does not
 * judge them.
 */
export type Mark = { what: string; unit?: 'ms'; value: number; atMost?: number; atLeast?: number };
