import { ApiError, OptionError } from './errors.ts';
import type { ExtendResults, LeaseAnswer, LeasedMessage, LeaseResults } from './models.ts';
import { requireInteger, requireVisible } from './options.ts';
import type { RequestOptions } from './resource.ts';
import { pause } from './retries.ts';
import { path, type Transport } from './transport.ts';

export type PullOptions = Pick<RequestOptions, 'signal' | 'timeoutMs'> & {
  /** A key of the endpoint (`phpl_…`); the client's `pullKey` unless one is given. */
  pullKey?: string | undefined;
  /** How many messages are leased at a time: 1 unless another number is given. The lease of each begins at once. */
  max?: number | undefined;
  /**
   * How long a request waits for a message: 20 unless another number is given. The loop goes on after it. Its first request
   * does not wait, so that a loop which cannot work says so at once. With 0 it asks again after a second. An answer may take
   * `timeoutMs` more.
   */
  waitSeconds?: number | undefined;
  /** After this time without an answer, a message goes to the next consumer: 30 unless another number is given. */
  leaseSeconds?: number | undefined;
};

/** What the program behind this consumer answered. It is kept as a webhook's answer. */
export type Acknowledgement = {
  /** From 200 to 299. */
  responseStatus?: number;
  /** At most 16 KiB. */
  responseBody?: string;
};

export type GiveBack = {
  /** The time until it is due again; by the retry schedule unless one is given. */
  delaySeconds?: number;
  /** In words for people. */
  reason?: string;
  /** What the program behind this consumer answered. */
  responseStatus?: number;
  /** At most 16 KiB. */
  responseBody?: string;
};

/** A message that this consumer holds until its lease ends. */
export type PulledMessage = Omit<LeasedMessage, 'body'> & {
  /** The bytes that are signed. Verify them with `headers`, as those of a webhook. */
  body: Uint8Array;
  /** The body, parsed as JSON. */
  json<Data = unknown>(): Data;
  /** Acknowledges the message now. False when its lease was lost to another consumer. After an error, you may ask again. */
  ack(answer?: Acknowledgement): Promise<boolean>;
  /** Gives the message back now. */
  nack(options?: GiveBack): Promise<boolean>;
  /** Holds the message for so long from now, from 5 to 900 seconds. False when its lease was lost to another consumer. */
  extend(leaseSeconds: number): Promise<boolean>;
};

/** Between two requests that do not wait and find nothing. */
const POLL_MS = 1_000;

/**
 * Fetches the messages of an endpoint, one after the other, until the loop is left. A message is acknowledged when the body
 * of the loop ends, and given back when the loop is left in it, as by an error, unless you have answered it yourself.
 */
export async function* pull(
  transport: Transport,
  endpointId: string,
  { pullKey, signal, timeoutMs = transport.timeoutMs, max = 1, waitSeconds = 20, leaseSeconds = 30 }: PullOptions,
): AsyncGenerator<PulledMessage, void, undefined> {
  const credential = requireVisible('pullKey', pullKey) ?? transport.pullKey;
  if (credential === undefined) throw new OptionError('pullKey', 'is required for this call');
  requireInteger('waitSeconds', waitSeconds, 0, 30);
  const ask = <Answer>(name: string, given: object, options: RequestOptions) =>
    transport.request<Answer>(
      {
        method: 'POST',
        path: `${path`/api/pull/${endpointId}`}/${name}`,
        inWorkspace: false,
        bearer: credential,
        body: given,
        idempotencyKey: null,
        answersList: name === 'lease' ? 'messages' : 'results',
      },
      options,
    );
  for (let wait = 0; ; wait = waitSeconds) {
    const body = { max, waitSeconds: wait, leaseSeconds };
    const { messages } = await ask<LeaseAnswer>('lease', body, { signal, timeoutMs: 1_000 * wait + timeoutMs });
    if (messages.length === 0 && waitSeconds === 0) await pause(POLL_MS, signal);
    const left = messages.map((message) => toPulled(message, (name, given) => ask(name, given, { timeoutMs })));
    try {
      for (let next = left[0]; next !== undefined; next = left[0]) {
        if (signal?.aborted) throw signal.reason;
        yield next.message;
        await next.end('ack', {});
        left.shift();
      }
    } finally {
      // The loop was left: what it has not finished goes to the next consumer. After a failure the leases end by themselves:
      // who leaves waits for no more, and meets no other error than his own.
      try {
        for (const { end } of left) await end('nack', { delaySeconds: 0 });
      } catch {}
    }
  }
}

type End = (name: 'ack' | 'nack', more: object) => Promise<boolean>;

type Ask = (name: string, body: object) => Promise<LeaseResults | ExtendResults>;

function toPulled(leased: LeasedMessage, ask: Ask) {
  const { deliveryId, leaseToken } = leased;
  let ended: Promise<boolean> | undefined;
  const tell = async (name: string, more: object) => {
    const { results } = await ask(name, { messages: [{ deliveryId, leaseToken, ...more }] });
    const result = results[0]?.result;
    if (result !== undefined) return result === 'settled';
    // Another server's answer must not look like a lease that was lost.
    const message = 'The answer has no result: check baseUrl';
    const none = { requestId: undefined, retryAfter: undefined, details: undefined };
    throw new ApiError({ ...none, status: 200, code: 'unexpected_answer', message });
  };
  /** The first answer that the service has heard counts. */
  const end: End = (name, more) => {
    ended ??= tell(name, more).catch((error) => {
      ended = undefined;
      throw error;
    });
    return ended;
  };
  const body = Uint8Array.from(atob(leased.body), (character) => character.charCodeAt(0));
  const message: PulledMessage = {
    ...leased,
    body,
    json: () => JSON.parse(new TextDecoder().decode(body)),
    ack: (answer = {}) => end('ack', answer),
    nack: (options = {}) => end('nack', options),
    extend: (leaseSeconds) => tell('extend', { leaseSeconds }),
  };
  return { message, end };
}
