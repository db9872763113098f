import type { Socket } from 'node:net';
import {
  type NatsConnection,
  NatsConnectionImpl,
  Parser,
  ProtocolHandler,
  setTransportFactory,
} from '@nats-io/transport-node';
// The package's own transport, which it does not export.
import { NodeTransport, nodeResolveHost } from '@nats-io/transport-node/lib/node_transport.js';
import { FoundError } from '../broker/failures.ts';

type Options = Parameters<typeof NatsConnectionImpl.connect>[0];

/** The most bytes that a server may send between two of our messages: acknowledgements, its description and pings. */
const MOST_BYTES = 262_144;
/** The most pieces of a greeting. For each piece, the library joins all of them again. */
const MOST_PIECES = 100;
/** The frame that answers a ping. It is not a message, so it does not raise what the server may send. */
const PONG_BYTES = 'PONG\r\n'.length;
/**
 * The most pings between two of our messages. A server normally sends one every two minutes, and each costs a socket
 * write.
 */
const MOST_PINGS = 100;

/**
 * The library's transport, which here drops a server that floods it. The library itself keeps everything that it
 * receives.
 */
function createBoundedTransport(): NodeTransport {
  const transport = new NodeTransport();
  const own = {
    connect: transport.connect.bind(transport),
    peekInfo: transport.peekInfo.bind(transport),
    setupHandlers: transport.setupHandlers.bind(transport),
    send: transport.send.bind(transport),
  };
  let [received, pings] = [0, 0];
  // The library removes its listeners, and this one too, before it adds others.
  const count = (mostPieces: number) => {
    const { socket } = transport;
    let pieces = 0;
    socket.on('data', (chunk: Uint8Array) => {
      pieces += 1;
      received += chunk.length;
      if (received > MOST_BYTES || pieces > mostPieces) giveUp(socket, 'the server sent too much');
    });
  };
  // After this time the library gives up, but leaves the socket open.
  transport.connect = async (server, options) => {
    const late = setTimeout(() => transport.discard(), options.timeout);
    try {
      await own.connect(server, options);
    } finally {
      clearTimeout(late);
    }
  };
  transport.peekInfo = async () => {
    const greeting = own.peekInfo();
    count(MOST_PIECES);
    const info = await greeting;
    const { options }: { options?: { tls?: unknown } } = transport;
    // Otherwise the library would begin TLS without our options.
    if (info.tls_required === true && options?.tls === null) throw new FoundError(TLS_REQUIRED);
    return info;
  };
  transport.setupHandlers = () => {
    own.setupHandlers();
    count(Number.POSITIVE_INFINITY);
  };
  transport.send = (frame) => {
    if (frame.length > PONG_BYTES) [received, pings] = [0, 0];
    else pings += 1;
    if (pings <= MOST_PINGS) own.send(frame);
    else if (!transport.socket.destroyed) giveUp(transport.socket, 'the server sent too much');
  };
  return transport;
}

function giveUp(socket: Socket, why: string): void {
  // The library removes its listeners after the greeting, and without a listener an error would end the process.
  socket.on('error', () => undefined);
  socket.destroy(new Error(why));
}

// The library would print bytes that it cannot parse, in the server's words, and go on waiting.
const { parse } = Parser.prototype;
Parser.prototype.parse = function parseOrGiveUp(frame) {
  try {
    parse.call(this, frame);
  } catch {
    const { dispatcher } = this;
    const transport = dispatcher instanceof ProtocolHandler ? dispatcher.transport : undefined;
    if (transport instanceof NodeTransport) giveUp(transport.socket, 'the server does not speak the protocol');
  }
};

const TLS_REQUIRED = { errorCode: 'tls_error', message: 'The server requires TLS' } as const;

/** Connects as the library's own `connect` does, with this transport. */
export function connectBounded(options: Options): Promise<NatsConnection> {
  setTransportFactory({ factory: createBoundedTransport, dnsResolveFn: nodeResolveHost });
  return NatsConnectionImpl.connect(options);
}
