/** A path of this site to return to after the login; `/` for anything else, such as an address of another site. */
export function safeReturnTo(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('/')) return '/';
  // Browsers read // and /\ as the start of another site's address.
  return ['//', '/\\', '/login'].some((start) => value.startsWith(start)) ? '/' : value;
}
