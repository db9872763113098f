import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ServerCertificate } from '../certificates.ts';
import { say } from '../say.ts';
import { readBody } from './read-body.ts';

/** `disconnect`: the connection is closed without an answer. */
export type Answer = { status: number; headers?: Record<string, string> } | 'disconnect';

export type HttpsServer = { port: number; close: () => Promise<void> };

export type HttpsServerOptions = {
  certificate: ServerCertificate;
  /** The ports to try, in this order. 0 is any free one. */
  ports: readonly number[];
  /** Decides about one request. A body of more than 2 MiB is answered with 413 without a call. */
  answer: (request: IncomingMessage, body: Buffer) => Promise<Answer>;
};

/** An HTTPS server on 127.0.0.1. Rejects if none of the ports can be used. */
export async function openHttpsServer({ certificate, ports, answer }: HttpsServerOptions): Promise<HttpsServer> {
  const receive = async (request: IncomingMessage): Promise<Answer> => {
    const body = await readBody(request);
    return body === undefined ? { status: 413 } : await answer(request, body);
  };
  const server = createServer({ cert: certificate.certificate, key: certificate.key }, (request, response) => {
    receive(request)
      .catch((error: unknown): Answer => {
        // A sender that has disconnected does not read this answer.
        say(
          'receiver',
          `${request.method} ${request.url} was not answered: ${error instanceof Error ? error.message : error}`,
        );
        return { status: 500 };
      })
      .then((answer) => {
        if (answer === 'disconnect') return void request.socket.destroy();
        response.writeHead(answer.status, { ...answer.headers, 'content-length': 0 }).end();
      });
  });
  const port = await listenOnFirst(server, ports);
  return { port, close: () => close(server) };
}

async function listenOnFirst(server: Server, ports: readonly number[]): Promise<number> {
  const [port = 0, ...others] = ports;
  try {
    return await listen(server, port);
  } catch (error) {
    if (others.length === 0) throw error;
    return await listenOnFirst(server, others);
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
