/** One run. Without `input` it is a check: the code is only compiled and searched for `transform`. */
export type Run = {
  code: string;
  input?: string | undefined;
  wantsLogs: boolean;
  /** The computing time after which the run is ended. */
  mostMs: number;
};

/** The most characters of a message. */
export const MESSAGE_CHARACTERS = 500;

export type Fault = { message: string; line: number | null; column: number | null };

export type RunResult = ({ kind: 'returned'; text: string } | { kind: 'failed'; fault: Fault; isLimit: boolean }) & {
  logs: string[];
  /** The computing time of the run. */
  computedMs: number;
  /** The run broke the interpreter, which cannot be used again. */
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
 * Replaces unpaired surrogates, which cannot be stored. The code may have written one, and cutting a string may split a
 * pair.
 */
export function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
