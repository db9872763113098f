import { ERROR_STATUS, type ErrorCode, type FieldProblem } from '@posthorn/contract/errors';
import { fieldPath } from '@posthorn/contract/field-path';
import type { DbTransaction } from '@posthorn/db/client';
import { ApiError, MAX_PROBLEMS } from '../transport/error.ts';

/**
 * Runs an operation for the part of the document at `place`. If the operation is refused, this notes a fault, undoes
 * what the operation has written, and returns undefined.
 */
export type Attempt = <Result>(
  place: readonly PropertyKey[],
  run: () => Promise<Result>,
) => Promise<Result | undefined>;

/** Collects the refusals of a document's parts, so that one error names all of them. */
export function createFaults(transaction: DbTransaction): { attempt: Attempt; refuse: () => void } {
  const faults: { code: ErrorCode; problem: FieldProblem }[] = [];
  const refuse = () => {
    if (faults.length > 0) throw errorOf(faults);
  };
  return {
    async attempt(place, run) {
      await transaction.$executeRaw`savepoint part`;
      try {
        const result = await run();
        await transaction.$executeRaw`release savepoint part`;
        return result;
      } catch (error) {
        if (!(error instanceof ApiError) || !isOfDocument(error)) throw error;
        await transaction.$executeRaw`rollback to savepoint part`;
        faults.push(...problemsOf(error, place).map((problem) => ({ code: error.code, problem })));
        // An error names at most this many faults.
        if (faults.length >= MAX_PROBLEMS) refuse();
        return undefined;
      }
    },
    refuse,
  };
}

/** Whether a change of the document could help: not for a missing right, a rate limit or a fault of the service. */
function isOfDocument({ code }: ApiError): boolean {
  return [400, 404, 409].includes(ERROR_STATUS[code]);
}

function problemsOf({ details, message }: ApiError, place: readonly PropertyKey[]): FieldProblem[] {
  const at = fieldPath(place);
  if (details === undefined) return [{ field: at, message: `${at}: ${message}` }];
  return details.map((one) => ({
    ...one,
    field: `${at}.${placeInPart(one.field)}`,
    message: `${at}: ${one.message}`,
  }));
}

/** The destination of an endpoint stands beside its config in a document. */
function placeInPart(field: string): string {
  return field.startsWith('config.destination') ? field.slice('config.'.length) : field;
}

/** A reference to something unknown is a fault of the document. Any other code stays, so that a program sees it. */
function errorOf(faults: readonly { code: ErrorCode; problem: FieldProblem }[]): ApiError {
  const own = faults.find(({ code }) => code !== 'validation_error' && code !== 'not_found');
  const first = own ?? faults[0];
  const details = [...(first === undefined ? [] : [first]), ...faults.filter((one) => one !== first)];
  return new ApiError(
    own?.code ?? 'validation_error',
    first?.problem.message ?? '',
    {},
    details.map(({ problem }) => problem).slice(0, MAX_PROBLEMS),
  );
}
