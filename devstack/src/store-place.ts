/** The host and port of a store's URL, without its credentials. */
export function placeOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'its URL';
}
