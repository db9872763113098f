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
  /** The address of this machine that is listened on; all of them where it is undefined. */
  address?: string | undefined;
  /** What requests and answers are made of; Node's own classes by default. */
  classes?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
  /** Answers what could not be parsed; Node's own answer is a bare 400. */
  onClientError?: (error: NodeJS.ErrnoException, socket: Duplex) => void;
};

/** Above the usual load balancer's 60 s, so that the other side closes idle connections first. */
const KEEP_ALIVE_MS = 65_000;
const REQUEST_TIMEOUT_MS = 30_000;
const MOST_PIPELINED = 16;
const CLOSE_IDLE_EVERY_MS = 50;
/** A connection that never sent a request counts as busy: after this it is cut. */
const CUT_AFTER_MS = 8_000;

/**
 * Listens (port 0 is any free one) until the process is stopped. Then nothing new is taken, what is under way is
 * answered and told that its connection ends, and connections that idle are let go.
 */
export async function serve(
  { lifecycle, logger }: { lifecycle: Pick<Lifecycle, 'onStop'>; logger: Pick<Logger, 'info'> },
  { part, handler, port, address: host, classes, onClientError }: Serving,
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
  // The handler decides whether the body is wanted, and then says so itself.
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
 * Whether a request is handled. Of a connection at most 16 are under way: the sixteenth announces that the connection ends
 * with its answer, and what the client has sent behind it is dropped unread (RFC 9112 §9.6). A client sends that again.
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
      // It stays at the limit: nothing is taken from this connection any more.
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
