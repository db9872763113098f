import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { systemClock } from '@posthorn/runtime/clock';
import { type CertificateKind, receiverCertificate } from './receiver-certificate.ts';
import { waitFor } from './wait-for.ts';

/** A received request, recorded before it was answered. */
export type ReceivedRequest = {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: Buffer;
  at: Date;
};

/** An ordinary response (default: 200, no body, at once), or a function that writes to the raw connection. */
export type ReceiverAnswer =
  | { status?: number; headers?: OutgoingHttpHeaders; body?: string | Uint8Array; delayMs?: number }
  | { raw: (connection: RawConnection) => void };

export type RawConnection = {
  socket: TLSSocket;
  /** Resets the connection with RST, like a crashed host. */
  reset: () => void;
  /** Runs `work` every `everyMs` until the connection is closed. */
  repeat: (everyMs: number, work: () => void) => void;
};

/** `nth` counts the receiver's requests from 1. */
export type ReceiverBehaviour = (request: ReceivedRequest, nth: number) => ReceiverAnswer | Promise<ReceiverAnswer>;

export type Receiver = {
  /**
   * The receiver's URL, `https://localhost:<port>/`. Its certificate is also valid for 127.0.0.1 and names under
   * receiver.test.
   */
  url: string;
  port: number;
  /** The authority that a client must trust, in PEM. */
  caPem: string;
  /** The requests so far, in the order of arrival. */
  requests: ReceivedRequest[];
  /** The number of TLS connections opened so far, and of those that resumed an earlier session. */
  connections: { opened: number; resumed: number };
  /** Sets the behaviour from the next request on. The first behaviour answers 200. */
  respondWith: (behaviour: ReceiverBehaviour) => void;
  /** Waits for at least `count` requests, and returns all of them. */
  received: (count: number) => Promise<ReceivedRequest[]>;
  /** Closes every connection. Throws an error that a behaviour has thrown. */
  close: () => Promise<void>;
};

type ReceiverOptions = {
  host?: string;
  port?: number;
  certificate?: CertificateKind;
  /**
   * The server's certificate, instead of `certificate`. With `clientCa` (PEM), clients need a certificate of that
   * authority.
   */
  tls?: { key: string; cert: string; clientCa?: string };
  /** Answers before the body has arrived. The request is then recorded without its body. */
  answersEarly?: boolean;
};

/** A real HTTPS server on this machine, in place of a customer's. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { host = '127.0.0.1', port = 0, certificate = 'good', answersEarly = false } = options;
  const { caPem, ...made } = await receiverCertificate(certificate);
  const { key, cert, clientCa } = options.tls ?? { ...made, clientCa: undefined };
  const requests: ReceivedRequest[] = [];
  const connections = { opened: 0, resumed: 0 };
  const tcpByPort = new Map<number, Socket>();
  const faults: unknown[] = [];
  let behaviour: ReceiverBehaviour = () => ({});

  const server = createServer({ key, cert, ...mutual(clientCa) }, async (request, response) => {
    const body = answersEarly ? Buffer.alloc(0) : await readBody(request);
    if (body === undefined) return;
    const received = writeDown(request, body);
    requests.push(received);
    try {
      reply(await behaviour(received, requests.length), response, bareConnection(request, tcpByPort));
    } catch (error) {
      faults.push(error);
      request.socket.destroy();
    }
  });
  // Keeps connections open while a test sends nothing.
  server.keepAliveTimeout = 0;
  server.on('connection', (tcp: Socket) => {
    const { remotePort = 0 } = tcp;
    tcpByPort.set(remotePort, tcp);
    tcp.once('close', () => tcpByPort.delete(remotePort));
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    connections.opened += 1;
    if (socket.isSessionReused()) connections.resumed += 1;
    // Tests also disconnect their clients.
    socket.on('error', () => socket.destroy());
  });
  await listen(server, host, port);
  const { port: bound } = server.address() as AddressInfo;

  return {
    url: `https://localhost:${bound}/`,
    port: bound,
    caPem,
    requests,
    connections,
    respondWith: (next) => {
      behaviour = next;
    },
    received: (count) =>
      waitFor(() => requests.length >= count && requests, { what: `${count} requests at the receiver` }),
    close: async () => {
      await close(server);
      if (faults.length > 0) throw faults[0];
    },
  };
}

function mutual(clientCa: string | undefined) {
  return clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true };
}

/** The whole body; undefined when the client disconnected before its end. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}

function writeDown({ method = '', url = '', headers, rawHeaders }: IncomingMessage, body: Buffer): ReceivedRequest {
  return { method, url, headers, rawHeaders, body, at: systemClock.now() };
}

function reply(answer: ReceiverAnswer, response: ServerResponse, connection: RawConnection): void {
  if ('raw' in answer) {
    answer.raw(connection);
    // The server reads a connection's next request only after this event.
    response.emit('finish');
    return;
  }
  const send = () => response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
  if (answer.delayMs === undefined) send();
  else setTimeout(send, answer.delayMs).unref();
}

function bareConnection(request: IncomingMessage, tcpByPort: Map<number, Socket>): RawConnection {
  const socket = request.socket as TLSSocket;
  const tcp = tcpByPort.get(socket.remotePort ?? 0);
  return {
    socket,
    // The TLS layer cannot reset a connection.
    reset: () => tcp?.resetAndDestroy(),
    repeat: (everyMs, work) => {
      // The TLS layer learns of a reset only after a moment.
      const isOpen = () => socket.writable && tcp?.destroyed !== true;
      const timer = setInterval(() => (isOpen() ? work() : clearInterval(timer)), everyMs);
      timer.unref();
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
