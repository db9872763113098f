import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import type { VettedAddress } from '@posthorn/egress/literal-host';
import type { Lookup } from '@posthorn/egress/lookup';
import { tlsOptions, vetServer } from '../broker/dial.ts';
import { FoundError } from '../broker/failures.ts';
import { type Server, serverUrl } from '../broker/fields.ts';
import { textOf } from '../webhook/tls-fault.ts';
import { CLOSED } from './fault.ts';

/** The most addresses of a server to try. */
const MOST_ADDRESSES = 2;
/**
 * The most frames that a server may send between two requests besides its answers: settings, pings and informational
 * headers. Each costs a call in the process, so without a limit a server could slow everything else.
 */
const MOST_SAID = 100;

type Place = Server & { tls: boolean; ca?: string | undefined };

/** An HTTP/2 session over our own connection, because a library would look names up without the egress rules. */
export type Session = {
  request: ClientHttp2Session['request'];
  /** The scheme, host and port of the server, for requests. */
  origin: string;
  address: string;
  /** Whether more requests can be made. */
  isOpen(): boolean;
  close(): void;
};

/** Connects to an address of the server that `lookup` allows. Rejects with an error of Node or of the egress rules. */
export async function openSession(place: Place, { lookup, signal }: { lookup: Lookup; signal: AbortSignal }) {
  const vetted = await vetServer(place, lookup);
  // IPv4 first: a server that listens on only one family usually listens on IPv4, so the failure there says more.
  const addresses = vetted.toSorted((a, b) => a.family - b.family).slice(0, MOST_ADDRESSES);
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await start(place, await dial(address, place, signal), signal);
    } catch (error) {
      failure ??= error;
      if (signal.aborted) break;
    }
  }
  throw failure;
}

async function dial({ address }: VettedAddress, { host, port, tls, ca }: Place, signal: AbortSignal): Promise<Socket> {
  const socket = tls
    ? connectTls({ host: address, port, ...tlsOptions(host, ca), ALPNProtocols: ['h2'] })
    : connectPlain({ host: address, port });
  // This listener stays: without one, an error would end the process.
  socket.on('error', () => undefined);
  socket.setNoDelay(true);
  try {
    await once(socket, tls ? 'secureConnect' : 'connect', { signal });
    if (socket instanceof TLSSocket && socket.alpnProtocol !== 'h2') throw new FoundError(NO_HTTP2);
    return socket;
  } catch (error) {
    socket.destroy();
    throw describe(error, signal);
  }
}

const NO_HTTP2 = {
  errorCode: 'protocol_error',
  message: 'The server does not speak HTTP/2, which gRPC needs',
} as const;

/** Resolves when the server's greeting has shown that it speaks HTTP/2. */
async function start(place: Place, socket: Socket, signal: AbortSignal): Promise<Session> {
  const url = new URL(serverUrl(place));
  const address = socket.remoteAddress ?? '';
  // Refuses server push, because nobody would read it.
  const http2 = connectHttp2(url, { createConnection: () => socket, settings: { enablePush: false } });
  let isOpen = true;
  const end = () => {
    isOpen = false;
  };
  http2.on('error', end).on('close', end).on('goaway', end);
  let said = 0;
  const count = () => {
    said += 1;
    if (said <= MOST_SAID) return;
    end();
    http2.destroy(new FoundError(CLOSED));
  };
  http2.on('remoteSettings', count).on('ping', count).on('goaway', count).on('origin', count).on('altsvc', count);
  try {
    await Promise.race([once(http2, 'remoteSettings', { signal }), once(http2, 'close', { signal })]);
    if (!isOpen) throw new FoundError(CLOSED);
  } catch (error) {
    http2.destroy();
    throw describe(error, signal);
  }
  return {
    ...{ address, origin: url.origin },
    request(headers, options) {
      said = 0;
      return http2.request(headers, options).on('headers', count);
    },
    isOpen: () => isOpen,
    close() {
      end();
      http2.destroy();
    },
  };
}

/** Describes an error. An HTTP/2 error before the greeting means that the server speaks another protocol. */
function describe(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return Object.assign(new Error(), { code: 'ETIMEDOUT' });
  return textOf(error, 'code').startsWith('ERR_HTTP2') ? new FoundError(NO_HTTP2) : error;
}
