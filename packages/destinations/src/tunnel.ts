import { Agent as HttpAgent, type IncomingMessage, request as requestPlain } from 'node:http';
import { Agent as HttpsAgent, request as requestOverTls } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { ProxyUrl } from '@posthorn/egress/proxy-url';
import { atMost } from '@posthorn/runtime/at-most';
import { LRUCache } from 'lru-cache';

/** The proxy for every connection to another network. `ca` (PEM) replaces the well-known authorities. */
export type EgressProxy = ProxyUrl & { ca?: string | undefined };

/** The error codes of a tunnel that did not open, in addition to Node's codes for an unreachable receiver. */
export const tunnelErrorCode = { proxy: 'ERR_EGRESS_PROXY', refused: 'ERR_CONNECT_REFUSED' } as const;

export type Tunnels = {
  /**
   * Opens a connection to a checked address. Rejects with an Error whose `code` says who is at fault. It waits until
   * `untilMs` on the monotonic clock.
   */
  open(address: string, port: number, untilMs: number): Promise<Socket>;
  /** Whether a tunnel is being opened. */
  isOpening(): boolean;
  /** The error for a connection that got no answer since then. Its `code` says who is at fault. */
  blameForSilence(sinceMs: number): NodeJS.ErrnoException;
  /** Drops the tunnels that are not open yet. */
  close(): void;
};

/** Opens connections through the proxy with CONNECT. The proxy sees an address, a port and encrypted bytes. */
export function createTunnels(proxy: EgressProxy, { monotonicMs }: { monotonicMs(): number }): Tunnels {
  const request = proxy.isTls ? requestOverTls : requestPlain;
  const agent = proxy.isTls
    ? new HttpsAgent({ rejectUnauthorized: true, ...(proxy.ca === undefined ? {} : { ca: proxy.ca }) })
    : new HttpAgent();
  const opening = new Set<(error: Error) => void>();
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  const refusals = createRefusals();

  // A proxy does not answer while it waits for a receiver. If it has answered other requests since then, it is not
  // itself down.
  const blameForSilence = (sinceMs: number) =>
    answeredAtMs >= sinceMs ? fault('ETIMEDOUT', '') : fault(tunnelErrorCode.proxy, 'no answer');

  const open = (address: string, port: number, untilMs: number) =>
    new Promise<Socket>((resolve, reject) => {
      const startedMs = monotonicMs();
      const path = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
      const asked = request({
        ...{ agent, method: 'CONNECT', host: proxy.host, port: proxy.port, path },
        // Without this, Node would check the proxy's certificate against the `host` header.
        servername: isIP(proxy.host) === 0 ? proxy.host : '',
        headers: {
          host: path,
          ...(proxy.authorization === null ? {} : { 'proxy-authorization': proxy.authorization }),
        },
      });
      let isConnected = false;
      const end = (error: Error) => {
        clearTimeout(deadline);
        opening.delete(end);
        asked.destroy();
        reject(error);
      };
      opening.add(end);
      const deadline = setTimeout(
        () => end(isConnected ? blameForSilence(startedMs) : fault(tunnelErrorCode.proxy, 'no connection')),
        Math.max(1, untilMs - startedMs),
      );
      asked.once('socket', (socket) => {
        socket.once(proxy.isTls ? 'secureConnect' : 'connect', () => {
          isConnected = true;
        });
      });
      asked.once('connect', (response, socket, early) => {
        clearTimeout(deadline);
        opening.delete(end);
        answeredAtMs = monotonicMs();
        const judged = judgeConnect(response);
        if (judged === undefined) refusals.passed(path);
        const isTargets = judged?.code === tunnelErrorCode.proxy && refusals.isOfTarget(path);
        const refusal = isTargets ? fault(tunnelErrorCode.refused, judged.message) : judged;
        // Without a listener, an error would end the process.
        socket.on('error', () => socket.destroy());
        // A receiver never speaks before the client.
        if (refusal === undefined && early.length === 0) return resolve(socket as Socket);
        socket.destroy();
        reject(refusal ?? fault(tunnelErrorCode.proxy, 'bytes after the answer'));
      });
      // This listener stays: without one, an error would end the process.
      asked.on('error', (error: NodeJS.ErrnoException) => end(fault(tunnelErrorCode.proxy, error.code ?? 'no answer')));
      asked.once('response', () => end(fault(tunnelErrorCode.proxy, 'no tunnel')));
      asked.end();
    });

  const close = () => {
    for (const end of opening) end(fault(tunnelErrorCode.proxy, 'the service is being stopped'));
    agent.destroy();
  };
  return { open, isOpening: () => opening.size > 0, blameForSilence, close };
}

/** The most refused targets that are remembered. Beyond it, a refusal of a target looks like a proxy that is down. */
const MAX_REFUSED = 10_000;

/**
 * Many proxies give the same answer for a dead or forbidden receiver as for a fault of their own. If a tunnel to
 * another target has opened since the last refusal of this one, the proxy works, and the refusal is about the target.
 * While a proxy is down, no tunnel opens.
 */
function createRefusals() {
  /** For each target, the number of tunnels that had been opened before its last refusal. */
  const openedAt = new LRUCache<string, number>(atMost(MAX_REFUSED));
  let opened = 0;
  return {
    passed(path: string): void {
      opened += 1;
      openedAt.delete(path);
    },
    isOfTarget(path: string): boolean {
      const before = openedAt.get(path);
      openedAt.set(path, opened);
      return before !== undefined && before < opened;
    },
  };
}

type ConnectAnswer = Pick<IncomingMessage, 'statusCode' | 'headers'>;

/** Statuses with which a proxy reports its own fault, unless a header names a fault of the receiver. */
const FAULTS_OF_THE_PROXY = [407, 502, 503, 504];

/** Who is at fault according to the answer to a CONNECT; undefined if the tunnel is open. */
export function judgeConnect({ statusCode = 0, headers }: ConnectAnswer): NodeJS.ErrnoException | undefined {
  if (statusCode >= 200 && statusCode < 300) return undefined;
  if (!FAULTS_OF_THE_PROXY.includes(statusCode)) return fault(tunnelErrorCode.refused, String(statusCode));
  const code = statusCode === 407 ? undefined : receiversFault(headers);
  return code === undefined ? fault(tunnelErrorCode.proxy, String(statusCode)) : fault(code, String(statusCode));
}

/** Node's codes for what proxies say about a receiver: RFC 9209, and the headers of Envoy and Squid. */
const RECEIVERS_FAULTS: readonly [header: string, said: string, code: string][] = [
  ['proxy-status', 'error=connection_refused', 'ECONNREFUSED'],
  ['proxy-status', 'error=connection_timeout', 'ETIMEDOUT'],
  ['proxy-status', 'error=destination_ip_unroutable', 'EHOSTUNREACH'],
  ['x-squid-error', 'ERR_CONNECT_FAIL 110', 'ETIMEDOUT'],
  ['x-squid-error', 'ERR_CONNECT_FAIL 111', 'ECONNREFUSED'],
  ['x-squid-error', 'ERR_CONNECT_FAIL 113', 'EHOSTUNREACH'],
  ['x-envoy-response-flags', 'UF', 'ECONNREFUSED'],
];

function receiversFault(headers: ConnectAnswer['headers']): string | undefined {
  return RECEIVERS_FAULTS.find(([header, said]) => String(headers[header] ?? '').includes(said))?.[2];
}

function fault(code: string, detail: string): NodeJS.ErrnoException {
  return Object.assign(new Error(detail), { code });
}
