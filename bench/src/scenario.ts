import type { Figure } from './figures.ts';
import type { Plot } from './plot.ts';

/** One measurement. It leaves the stores unchanged. */
export type Scenario = {
  name: string;
  /** A description in one line, for `--list`. */
  what: string;
  /** How many seconds longer it may take than other scenarios, because it starts servers of its own. */
  moreSeconds?: number;
  run: (context: Context) => Promise<Outcome>;
};

/** How Posthorn is run: see docs/operating/install.md. */
export const SHAPES = ['scaled', 'postgres', 'one'] as const;
export type Shape = (typeof SHAPES)[number];

export type Context = {
  /** The shape that is measured. */
  shape: Shape;
  /** The duration of a measurement, without its warm-up. */
  seconds: number;
  /** Prints progress to the terminal. */
  say: (words: string) => void;
  /** Adds a figure to those that the scenario returns. */
  note: (figure: Figure) => void;
};

export type Outcome = { figures: Figure[]; plot?: Plot; tables?: Table[] };

/** Data that is too long for figures, such as a list of statements. */
export type Table = { title: string; columns: readonly string[]; rows: readonly (readonly (string | number)[])[] };
