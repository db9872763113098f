import type { SendFailure } from '../failure.ts';

/** How the work with a connection ended. `isCrowded`: it did not begin, because too many connections are in use. */
export type Outcome<Result> =
  | { kind: 'done'; result: Result }
  | { kind: 'failed'; failure: SendFailure }
  | { kind: 'aborted'; isCrowded?: true };
