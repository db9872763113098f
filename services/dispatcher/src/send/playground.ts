import type { Clock } from '@posthorn/runtime/clock';
import { createOpenExchanges } from './open-exchanges.ts';
import { type Sender, type SendRequest, type SendResult, timedOut } from './send.ts';

/** How a playground answers (docs/interface.md, Playground); `config.playground` as it is stored. */
export type PlaygroundConfig = { status?: number; delayMs?: number; failFirst?: number; body?: string };

/** The answer to one request. */
export type PlaygroundAnswer = { status: number; delayMs: number; body: string };

/** A request to an endpoint. For a playground, it has the answer in `playground`, and nothing is sent. */
export type DeliveryRequest = SendRequest & { playground?: PlaygroundAnswer | undefined };

export type DeliverySender = Omit<Sender, 'send'> & { send(request: DeliveryRequest): Promise<SendResult> };

/** The first `failFirst` attempts of a delivery fail with 500, and later ones get the configured answer. */
export function playgroundAnswer(config: PlaygroundConfig, attemptNumber: number): PlaygroundAnswer {
  const { status = 200, delayMs = 0, failFirst = 0, body = '' } = config;
  return { status: attemptNumber <= failFirst ? 500 : status, delayMs, body };
}

/** Sends over the network, and answers requests to playgrounds itself, without an address, a socket or phases. */
export function withPlayground(network: Sender, clock: Pick<Clock, 'monotonicMs'>): DeliverySender {
  const open = createOpenExchanges();
  return {
    async send(request) {
      if (request.playground === undefined) return network.send(request);
      if (open.isAborted()) return { kind: 'aborted' };
      const { delayMs } = request.playground;
      const startedMs = clock.monotonicMs();
      if ((await pause(Math.min(delayMs, request.timeoutMs), open)) === 'aborted') return { kind: 'aborted' };
      return answer(request.playground, request, Math.round(clock.monotonicMs() - startedMs));
    },
    abortAll() {
      network.abortAll();
      open.abortAll();
    },
    close: () => network.close(),
  };
}

function answer(
  { status, delayMs, body }: PlaygroundAnswer,
  { timeoutMs }: SendRequest,
  durationMs: number,
): SendResult {
  const timings = { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null };
  const measures = { durationMs, timings, remoteAddress: null };
  if (delayMs > timeoutMs) {
    return { kind: 'error', ...timedOut('No complete answer', timeoutMs), response: null, ...measures };
  }
  return { kind: 'response', status, headers: {}, body: Buffer.from(body, 'utf8'), truncated: false, ...measures };
}

function pause(forMs: number, open: ReturnType<typeof createOpenExchanges>): Promise<'over' | 'aborted'> {
  if (forMs === 0) return Promise.resolve('over');
  return new Promise((resolve) => {
    const end = (how: 'over' | 'aborted') => {
      clearTimeout(timer);
      forget();
      resolve(how);
    };
    const forget = open.add(() => end('aborted'));
    const timer = setTimeout(() => end('over'), forMs);
  });
}
