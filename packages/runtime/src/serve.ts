import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Lifecycle } from './lifecycle.ts';
import type { Logger } from './logger.ts';

export type Serving = {
  part: string;
  handler: RequestListener;
  port: number;
  /** The address of this machine to listen on; all addresses when undefined. */
  address?: string | undefined;
  /** The classes of requests and answers; Node's own by default. */
  classes?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
  /** Answers a request that could not be parsed; Node's own answer is a bare 400. */
  onClientError?: (error: NodeJS.ErrnoException, socket: Duplex) => void;
  /** A connection on which nothing moves for this long is cut; two minutes by default. */
  stalledAfterMs?: number;
};

/** Above a load balancer's usual 60 s, so that the load balancer closes idle connections first. */
const KEEP_ALIVE_MS = 65_000;
const REQUEST_TIMEOUT_MS = 30_000;
/**
 * A client that reads no more of its answer would keep the connection and the answer in memory for ever. Longer than
 * any request takes, and than the pauses of a stream of events.
 */
const STALLED_AFTER_MS = 120_000;
const MOST_PIPELINED = 16;
const CLOSE_IDLE_EVERY_MS = 50;
/** A connection that never sent a request counts as busy: it is closed after this time. */
const CUT_AFTER_MS = 8_000;

/**
 * Listens (on a free port when the port is 0) until the process is stopped. Then no new connection is accepted, running
 * requests are answered with `Connection: close`, and idle connections are closed.
 */
export async function serve(
  { lifecycle, logger }: { lifecycle: Pick<Lifecycle, 'onStop'>; logger: Pick<Logger, 'info'> },
  { part, handler, port, address: host, classes, onClientError, stalledAfterMs = STALLED_AFTER_MS }: Serving,
): Promise<void> {
  let stopping = false;
  const admit = createPipelineLimit();
  const answer: RequestListener = (request, response) => {
    if (stopping) response.setHeader('Connection', 'close');
    if (admit(request, response)) handler(request, response);
  };
  const timeouts = { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS };
  // The handler refuses a request without Host, in the shape of its errors.
  const options = { keepAliveTimeout: KEEP_ALIVE_MS, ...timeouts, requireHostHeader: false, ...classes };
  const server = createServer(options, answer);
  server.setTimeout(stalledAfterMs);
  // The handler decides whether it wants the body, and then sends 100 Continue itself.
  server.on('checkContinue', answer);
  server.on('checkExpectation', answer);
  if (onClientError !== undefined) server.on('clientError', onClientError);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, resolve);
  });
  const address = server.address();
  logger.info('listening', {
    part,
    port: typeof address === 'object' ? address?.port : port,
    address: typeof address === 'object' ? address?.address : host,
  });
  lifecycle.onStop(part, () => {
    stopping = true;
    return close(server);
  });
}

/**
 * Whether to handle a request. Of one connection at most 16 requests run: the answer of the sixteenth ends the
 * connection, and later requests of the client are dropped unread (RFC 9112 §9.6). The client sends them again.
 */
function createPipelineLimit(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const unanswered = new WeakMap<Socket, number>();
  return ({ socket }, response) => {
    const count = unanswered.get(socket) ?? 0;
    if (count >= MOST_PIPELINED) {
      socket.pause();
      return false;
    }
    unanswered.set(socket, count + 1);
    if (count + 1 === MOST_PIPELINED) {
      // The connection stays at the limit: no further request of it is handled.
      response.setHeader('Connection', 'close');
      return true;
    }
    response.once('close', () => {
      const left = unanswered.get(socket) ?? 0;
      if (left < MOST_PIPELINED) unanswered.set(socket, left - 1);
    });
    return true;
  };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const closingIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
    const cutting = setTimeout(() => server.closeAllConnections(), CUT_AFTER_MS);
    server.close(() => {
      clearInterval(closingIdle);
      clearTimeout(cutting);
      resolve();
    });
  });
}
