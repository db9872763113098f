import { ApiError } from '@posthorn/contract/api-error';
import type { FieldProblem } from '@posthorn/contract/errors';

export { ApiError, invalid, notFound } from '@posthorn/contract/api-error';

/** The most problems that an error names. */
export const MAX_PROBLEMS = 20;

/** Throws every problem as one `validation_error`; returns if there is none. */
export function refuseProblems(problems: readonly FieldProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  throw new ApiError('validation_error', first.message, {}, problems.slice(0, MAX_PROBLEMS));
}
