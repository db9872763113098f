import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { tunnelledOf } from '../webhook/egress-agent.ts';
import { limitInformational } from '../webhook/send.ts';
import type { Agents } from './agents.ts';

export type Transport = {
  /** The request handler of all clients. It is destroyed with the agents, not with a client. */
  requestHandler: Pick<
    NodeHttpHandler,
    'metadata' | 'handle' | 'destroy' | 'httpHandlerConfigs' | 'updateHttpClientConfig'
  >;
  /** Watches the requests that use this signal. */
  trace(signal: AbortSignal): Trace;
  close(): void;
};

/** What is known about the exchange of one attempt. */
export type Trace = { status: number | null; remoteAddress: string | null; ttfbMs: number | null };

type Options = { agents: Agents; monotonicMs: () => number };

/**
 * Carries the requests of the AWS SDK over agents that follow the egress rules. The server may be anybody's, so no more
 * of an answer is read than the services ever send. All clients share the transport, so that dropping one client ends
 * no request of another.
 */
export function createTransport({ agents, monotonicMs }: Options): Transport {
  for (const agent of [agents.https, agents.http]) limitInformationalOf(agent);
  const handler = new NodeHttpHandler({ httpsAgent: agents.https, httpAgent: agents.http });
  const traces = new WeakMap<object, Trace>();
  const handle: NodeHttpHandler['handle'] = async (request, options) => {
    const startedMs = monotonicMs();
    const { response } = await handler.handle(request, options);
    const answer = response.body as IncomingMessage;
    const trace = options?.abortSignal === undefined ? undefined : traces.get(options.abortSignal);
    if (trace !== undefined) {
      trace.status = response.statusCode;
      trace.remoteAddress = tunnelledOf(answer.socket)?.remoteAddress ?? answer.socket.remoteAddress ?? null;
      trace.ttfbMs = Math.round(monotonicMs() - startedMs);
    }
    response.body = answer.pipe(limitTo(MOST_BYTES));
    answer.once('error', (error) => response.body.destroy(error));
    answer.once('close', () => {
      if (!answer.complete)
        response.body.destroy(Object.assign(new Error('the answer was cut'), { code: 'ECONNRESET' }));
    });
    return { response };
  };
  return {
    requestHandler: {
      metadata: handler.metadata,
      handle,
      destroy() {},
      httpHandlerConfigs: () => ({}),
      updateHttpClientConfig() {},
    },
    trace(signal) {
      const trace: Trace = { status: null, remoteAddress: null, ttfbMs: null };
      traces.set(signal, trace);
      return trace;
    },
    close() {
      agents.https.destroy();
      agents.http.destroy();
    },
  };
}

/** The size limit of an answer. The answers to our requests have a few KiB. */
const MOST_BYTES = 256 * 1_024;

function limitTo(most: number): Transform {
  let received = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received <= most) done(null, chunk);
      else done(tooLarge());
    },
  });
}

export const TOO_LARGE = 'ERR_ANSWER_TOO_LARGE';

function tooLarge(): Error {
  return Object.assign(new Error('the answer is too large'), { code: TOO_LARGE });
}

/** The method by which Node hands a request to its agent. Node's types lack it. */
type Adding = { addRequest(request: ClientRequest, ...options: unknown[]): void };

/** Ends a request to a server that sends informational responses endlessly. The SDK does not count them. */
function limitInformationalOf(agent: Agent): void {
  const adding = agent as Agent & Adding;
  const add = adding.addRequest.bind(agent);
  adding.addRequest = (request, ...options) => {
    limitInformational(request, () => request.destroy(tooLarge()));
    add(request, ...options);
  };
}
