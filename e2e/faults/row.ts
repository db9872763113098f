import type { Random } from './random.ts';
import type { Rig, RigOptions } from './rig.ts';

/** One fault: what is done, what must hold, and how it is done. */
export type Row = {
  /** In kebab-case; `--only` takes it. */
  name: string;
  fault: string;
  /** The mark, in words. */
  pass: string;
  /** It stops, restarts or fills the stores themselves: it runs only where they are the run's own. */
  ownStores?: boolean;
  rig?: RigOptions;
  /** How long it may take at scale 1, drain included; default 10 minutes. */
  withinMinutes?: number;
  /** Puts the load on and does the fault. What it leaves open is drained, and judged, after it. */
  run: (rig: Rig, tools: Tools) => Promise<Outcome>;
};

export type Tools = {
  /** Draws from the row's seed: times, victims, sizes. */
  random: Random;
  /** Numbers of events, deaths or seconds at the run's scale, at least 1. */
  scaled: (events: number) => number;
  /** A line of progress. */
  say: (line: string) => void;
};

/** What a row measured, beyond what holds for all: nothing lost, unexpected, corrupt, illegal or early. */
export type Outcome = {
  /** Receipts that may have come twice. */
  duplicatesAtMost: number;
  /** What a retry may be late, after its time or the outage over it. Default 5 s. */
  retriesLateAtMostMs?: number;
  /** From the end of the fault until work went on. */
  recoveryMs?: number;
  marks: Mark[];
};

/** A measured value against its limit; without a limit it is only shown. Times have a unit and are judged apart. */
export type Mark = { what: string; unit?: 'ms'; value: number; atMost?: number; atLeast?: number };
