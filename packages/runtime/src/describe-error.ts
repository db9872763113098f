/** The text of an error. Node puts the failures of several addresses into an AggregateError without a message. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeError).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Turns any thrown value into an Error. */
export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
