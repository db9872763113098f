import type { Terminal } from './terminal.ts';

type Tls = { ca?: string | undefined; rejectUnauthorized?: boolean | undefined };

/**
 * A `fetch` that uses the proxy in HTTPS_PROXY and HTTP_PROXY, except for hosts in NO_PROXY and this machine. `tls`
 * says which certificates are trusted. Undefined if Node's own `fetch` does the same.
 */
export async function createFetch(env: Terminal['env'], tls?: Tls): Promise<typeof globalThis.fetch | undefined> {
  const httpProxy = env.http_proxy || env.HTTP_PROXY;
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY || httpProxy;
  if (!httpsProxy && tls === undefined) return undefined;
  // Uses undici: Node itself reads these variables only from version 24 on, and only if another variable is set.
  const { Agent, EnvHttpProxyAgent, fetch } = await import('undici');
  const given = env.no_proxy || env.NO_PROXY;
  const noProxy =
    given === '*' ? given : [...(given ? [given] : []), 'localhost', '127.0.0.1', '::1', '[::1]'].join(',');
  const dispatcher = httpsProxy
    ? new EnvHttpProxyAgent({
        ...{ httpProxy: httpProxy ?? '', httpsProxy, noProxy },
        ...(tls !== undefined && { connect: tls, requestTls: tls }),
      })
    : new Agent({ connect: tls ?? {} });
  return ((url, init) => fetch(url as string, { ...(init as object), dispatcher })) as typeof globalThis.fetch;
}
