import type { Random } from './random.ts';
import type { Rig, RigOptions, Shape } from './rig.ts';

/** One fault: its description, the pass mark and the code. */
export type Row = {
  /** The name in kebab-case. `--only` selects rows by it. */
  name: string;
  fault: string;
  /** The pass mark, in words. */
  pass: string;
  /**
   * What is wrong today, for a row that is known to fail. If such a row passes, the run fails, so that this
   * text is removed.
   */
  failsToday?: string;
  /** The row stops, restarts or fills the stores, so it runs only if the stores belong to the run. */
  ownStores?: boolean;
  rig?: RigOptions;
  /** The shapes in which the row makes sense. Default: all. Without `--shape`, the row runs in the shape of its rig. */
  shapes?: readonly Shape[];
  /** Resolves with the name of something that the row needs and this machine lacks. The row is then skipped. */
  missing?: () => Promise<string | undefined>;
  /** The time limit at scale 1, including the drain. Default: 10 minutes. */
  withinMinutes?: number;
  /** Runs the load and the fault. Open deliveries are drained and judged afterwards. */
  run: (rig: Rig, tools: Tools) => Promise<Outcome>;
};

export const SHAPES: readonly Shape[] = ['scaled', 'postgres', 'one'];
/** The shapes without Redis. */
export const WITHOUT_REDIS: readonly Shape[] = ['postgres', 'one'];
/** The shapes in which an API can run without a dispatcher. */
export const TWO_SERVICES: readonly Shape[] = ['scaled', 'postgres'];

/** The shape in which the row runs. Undefined if the row makes no sense in the wanted one. */
export function shapeOfRow({ shapes = SHAPES, rig }: Pick<Row, 'shapes' | 'rig'>, wanted?: Shape): Shape | undefined {
  const shape = wanted ?? rig?.shape ?? 'scaled';
  return shapes.includes(shape) ? shape : undefined;
}

export type Tools = {
  /** Draws times, victims and sizes from the row's seed. */
  random: Random;
  /** Scales a number of events, deaths or seconds to the scale of the run. At least 1. */
  scaled: (events: number) => number;
  /** Prints a line of progress. */
  say: (line: string) => void;
};

/**
 * The measurements of a row, in addition to the rules for all rows: nothing lost, unexpected, corrupt,
 * illegal or early.
 */
export type Outcome = {
  /** The number of duplicate receipts that are allowed. */
  duplicatesAtMost: number;
  /** How late a retry may be after its due time, or after the end of an outage at that time. Default 5 s. */
  retriesLateAtMostMs?: number;
  /** The time from the end of the fault until work resumed. */
  recoveryMs?: number;
  marks: Mark[];
};

/**
 * A measured value and its limit. Without a limit, it is only shown. Times have a unit, and are not judged
 * with `times: false`.
 */
export type Mark = { what: string; unit?: 'ms'; value: number; atMost?: number; atLeast?: number };
