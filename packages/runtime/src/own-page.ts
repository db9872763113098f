import type { IncomingHttpHeaders } from 'node:http';
import { parseUrl } from './parse-url.ts';

/**
 * Whether a change is asked for by a page of this server, or by no page at all. Every browser names the page of a change in
 * one of two headers. A request with neither is not from a browser, so no page can have misused what the browser keeps for this
 * server. A page whose policy is `no-referrer` does not name itself in the second. `ownHost` is another name of this server.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, ownHost?: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  if (origin === undefined) return true;
  const host = parseUrl(origin)?.host;
  return host !== undefined && (host === ownHost || host === headers.host);
}
