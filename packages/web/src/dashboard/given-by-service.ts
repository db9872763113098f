/** An endpoint whose type has no server of its own gets its URL from the service. */
export function isGivenByService(url: string | undefined): boolean {
  return url !== undefined && new URL(url).hostname.endsWith('.invalid');
}
