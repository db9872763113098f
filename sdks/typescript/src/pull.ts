import { ApiError, OptionError } from './errors.ts';
import type { ExtendResults, LeaseAnswer, LeasedMessage, LeaseResults } from './models.ts';
import { requireInteger, requireVisible } from './options.ts';
import type { RequestOptions } from './resource.ts';
import { pause } from './retries.ts';
import { path, type Transport } from './transport.ts';

export type PullOptions = Pick<RequestOptions, 'signal' | 'timeoutMs'> & {
  /** A key of the endpoint (`phpl_…`). Default: the client's `pullKey`. */
  pullKey?: string | undefined;
  /** How many messages are leased at a time. Default: 1. All their leases begin at once. */
  max?: number | undefined;
  /**
   * How long a request waits for a message: 20 unless another number is given. The loop goes on after it. Its first request
   * does not wait, so that a loop which cannot work says so at once. With 0 it asks again after a second. An answer may take
   * `timeoutMs` more.
   */
  waitSeconds?: number | undefined;
  /** How long a message is yours. If you have not settled it by then, it goes to the next consumer. Default: 30. */
  leaseSeconds?: number | undefined;
};

/** The answer of the program behind this consumer. Posthorn keeps it like the response of a webhook. */
export type Acknowledgement = {
  /** From 200 to 299. */
  responseStatus?: number;
  /** At most 16 KiB. */
  responseBody?: string;
};

export type GiveBack = {
  /** The time until the message is due again. Default: by the retry schedule. */
  delaySeconds?: number;
  /** The reason, in words for people. */
  reason?: string;
  /** The status that the program behind this consumer answered. */
  responseStatus?: number;
  /** At most 16 KiB. */
  responseBody?: string;
};

/** A message that this consumer holds until its lease ends. */
export type PulledMessage = Omit<LeasedMessage, 'body'> & {
  /** The signed bytes. Verify them with `headers`, like those of a webhook. */
  body: Uint8Array;
  /** The body, parsed as JSON. */
  json<Data = unknown>(): Data;
  /**
   * Acknowledges the message now. False if the lease was lost to another consumer. After an error, you may call it
   * again.
   */
  ack(answer?: Acknowledgement): Promise<boolean>;
  /** Gives the message back now. */
  nack(options?: GiveBack): Promise<boolean>;
  /** Extends the lease to this many seconds from now, from 5 to 900. False if it was lost to another consumer. */
  extend(leaseSeconds: number): Promise<boolean>;
};

/** Between two requests that do not wait and find nothing. */
const POLL_MS = 1_000;

/**
 * Fetches the messages of an endpoint, one after the other, until you leave the loop. A message is acknowledged when
 * the body of the loop ends. It is given back when the body throws or leaves the loop, unless you have settled it
 * yourself.
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
  /** The first answer that reaches the service counts. */
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
