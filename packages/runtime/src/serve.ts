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
  /** The classes of requests and responses. The default is Node's own. */
  classes?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
  /** Answers a request that could not be parsed. By default Node answers with an empty 400. */
  onClientError?: (error: NodeJS.ErrnoException, socket: Duplex) => void;
  /** A connection that makes no progress for this long is closed. The default is two minutes. */
  stalledAfterMs?: number;
};

/** Longer than the usual 60 s of a load balancer, so that the load balancer closes idle connections first. */
const KEEP_ALIVE_MS = 65_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node checks for timeouts. With Node's own interval, a request could take twice the time. */
const CHECK_REQUESTS_EVERY_MS = 5_000;
/**
 * A client that stops reading its response would keep the connection and the response in memory for ever. This time is
 * longer than any request takes, and longer than the pauses of a stream of events.
 */
const STALLED_AFTER_MS = 120_000;
const MAX_PIPELINED = 16;
const CLOSE_IDLE_EVERY_MS = 50;
/** At a stop, a connection that never sent a request counts as busy. It is closed after this time. */
const CUT_AFTER_MS = 8_000;

/**
 * Listens until the lifecycle is stopped, on a free port when the port is 0. Resolves with the URL of this server for
 * this machine. At the stop no new connection is accepted, running requests are answered with `Connection: close`, and
 * idle connections are closed.
 */
export async function serve(
  { lifecycle, logger }: { lifecycle: Pick<Lifecycle, 'onStop'>; logger: Pick<Logger, 'info'> },
  { part, handler, port, address: host, classes, onClientError, stalledAfterMs = STALLED_AFTER_MS }: Serving,
): Promise<string> {
  let stopping = false;
  const admit = createPipelineLimit();
  const answer: RequestListener = (request, response) => {
    if (stopping) response.setHeader('Connection', 'close');
    if (admit(request, response)) handler(request, response);
  };
  const timeouts = { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS };
  const checks = { connectionsCheckingInterval: CHECK_REQUESTS_EVERY_MS };
  // The handler refuses a request without `Host` with an error of the API.
  const options = { keepAliveTimeout: KEEP_ALIVE_MS, ...timeouts, ...checks, requireHostHeader: false, ...classes };
  const server = createServer(options, answer);
  server.setTimeout(stalledAfterMs);
  // The handler decides whether it wants the body, and then sends `100 Continue` itself.
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
  return urlOf(address);
}

/**
 * The URL of the server for this machine. A server on all addresses is reached by the first address of this machine.
 */
function urlOf(address: ReturnType<Server['address']>): string {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  const everywhere = ['::', '0.0.0.0'].includes(address.address);
  const host = everywhere ? '127.0.0.1' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

/**
 * Makes a function that returns whether to handle a request. At most 16 requests of one connection run at once. The
 * response to the sixteenth ends the connection, and later requests on it are dropped unread (RFC 9112 §9.6). The
 * client sends them again.
 */
function createPipelineLimit(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const unanswered = new WeakMap<Socket, number>();
  return ({ socket }, response) => {
    const count = unanswered.get(socket) ?? 0;
    if (count >= MAX_PIPELINED) {
      socket.pause();
      return false;
    }
    unanswered.set(socket, count + 1);
    if (count + 1 === MAX_PIPELINED) {
      // The connection stays at the limit, so no further request of it is handled.
      response.setHeader('Connection', 'close');
      return true;
    }
    response.once('close', () => {
      const left = unanswered.get(socket) ?? 0;
      if (left < MAX_PIPELINED) unanswered.set(socket, left - 1);
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
