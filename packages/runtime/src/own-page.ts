import type { IncomingHttpHeaders } from 'node:http';
import { parseUrl } from './parse-url.ts';

/**
 * True if a request that changes something comes from a page of this server, or from no page at all. Every browser
 * names the page in `Sec-Fetch-Site` or `Origin`. A request with neither is not from a browser, so no page can have
 * misused the browser's cookies. A page with the policy `no-referrer` does not name itself in `Origin`. `ownHost` is
 * another host name of this server.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, ownHost?: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  if (origin === undefined) return true;
  const host = parseUrl(origin)?.host;
  return host !== undefined && (host === ownHost || host === headers.host);
}
