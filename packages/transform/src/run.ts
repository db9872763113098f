/** One run. `input` is absent for a check: the code is only compiled, and looked through for `transform`. */
export type Run = {
  code: string;
  input?: string | undefined;
  wantsLogs: boolean;
  /** The computing after which the run is ended. */
  mostMs: number;
};

/** The most of a message. */
export const MESSAGE_CHARACTERS = 500;

export type Fault = { message: string; line: number | null; column: number | null };

export type RunResult = ({ kind: 'returned'; text: string } | { kind: 'failed'; fault: Fault; isLimit: boolean }) & {
  logs: string[];
  /** The computing that the run took. */
  computedMs: number;
  /** The interpreter could not be used again. */
  isBroken: boolean;
};

/** The result of a run that did not end by itself. */
export const STUCK = {
  kind: 'failed',
  fault: { message: 'The code did not stop when its time was over', line: null, column: null },
  isLimit: true,
  logs: [] as string[],
  isBroken: true,
} as const;

/**
 * Half of a pair of surrogates is in no text that can be stored. The code may have written it, and a text that is cut
 * may end with it.
 */
export function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
