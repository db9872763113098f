import type { Figure } from './figures.ts';
import type { Plot } from './plot.ts';

/** One thing that is measured, on stores that it leaves as it found them. */
export type Scenario = {
  name: string;
  /** In one line, for `--list`. */
  what: string;
  run: (context: Context) => Promise<Outcome>;
};

export type Context = {
  /** How long a figure is counted, apart from its warm-up. */
  seconds: number;
  /** Tells the person at the terminal what is going on. */
  say: (words: string) => void;
  /** Adds a figure beside those that the scenario answers. */
  note: (figure: Figure) => void;
};

export type Outcome = { figures: Figure[]; plot?: Plot; tables?: Table[] };

/** What is too long to be figures, such as a list of statements. */
export type Table = { title: string; columns: readonly string[]; rows: readonly (readonly (string | number)[])[] };
