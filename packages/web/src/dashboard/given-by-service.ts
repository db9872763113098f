/** True for a URL that the service made up, because the endpoint's type has no server of its own. */
export function isGivenByService(url: string | undefined): boolean {
  return url !== undefined && new URL(url).hostname.endsWith('.invalid');
}
