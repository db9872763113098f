/** An error in words. Node gathers the failures of several addresses in an AggregateError without a message. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeError).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}

/** The host and port of a store's URL, without its credentials. */
export function placeOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'its URL';
}
