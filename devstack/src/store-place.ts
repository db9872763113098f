import { parseUrl } from '@posthorn/runtime/parse-url';

/** The host and port of a store's URL, or the folder of its socket, without its credentials. */
export function placeOf(url: string): string {
  const [, socket] = /[?&]host=([^&#]+)/.exec(url) ?? [];
  return socket ?? parseUrl(url)?.host ?? 'its URL';
}
