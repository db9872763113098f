/** The host and port of a store's URL, or the folder of its socket, without its credentials. */
export function placeOf(url: string): string {
  const [, socket] = /[?&]host=([^&#]+)/.exec(url) ?? [];
  return socket ?? (URL.canParse(url) ? new URL(url).host : 'its URL');
}
