import { parseUrl } from '@posthorn/runtime/parse-url';

/** An HTTP proxy that connects to others with CONNECT. `authorization` is the value of `Proxy-Authorization`. */
export type ProxyUrl = { isTls: boolean; host: string; port: number; authorization: string | null };

/**
 * Parses `EGRESS_PROXY_URL`: `http://` or `https://`, with user and password if the proxy requires them, and nothing
 * after the port. Throws an Error that names the rule and repeats no part of the text.
 */
export function parseProxyUrl(text: string): ProxyUrl {
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
  if (url === undefined) throw new Error('must be an http or https URL');
  const { protocol, hostname, port, username, password, pathname, search, hash } = url;
  if (pathname !== '/' || search !== '' || hash !== '') throw new Error('must end after the port');
  const isTls = protocol === 'https:';
  const login = `${decoded(username)}:${decoded(password)}`;
  return {
    isTls,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (isTls ? 443 : 80)),
    authorization: login === ':' ? null : `Basic ${Buffer.from(login).toString('base64')}`,
  };
}

function decoded(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    throw new Error('must have % only before two hexadecimal digits: write it as %25');
  }
}
