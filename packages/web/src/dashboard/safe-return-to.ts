/** The path to return to after the login, if it is on this site; `/` for anything else. */
export function safeReturnTo(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('/')) return '/';
  // Browsers read // and /\ as the start of another site's address.
  return ['//', '/\\', '/login'].some((start) => value.startsWith(start)) ? '/' : value;
}
