import { createHash } from 'node:crypto';
import { type ReceivedRequest, type Receiver, type ReceiverAnswer, startReceiver } from '@posthorn/testkit/receiver';
import type { Receipt } from './oracle.ts';

export type { ReceiverAnswer } from '@posthorn/testkit/receiver';

/** Decides the response of an endpoint. `nth` counts its receipts from 1. */
export type Behaviour = (
  receipt: Receipt,
  nth: number,
  request: ReceivedRequest,
) => ReceiverAnswer | Promise<ReceiverAnswer>;

type ReceiptListener = (receipt: Receipt, request: ReceivedRequest) => void;

export type Receivers = {
  caPem: string;
  /** The receipts in order of arrival. Each is recorded before it is answered. */
  receipts: Receipt[];
  urlOf: (endpoint: string) => string;
  /** Sets the behaviour from the next request on. The default answers 200. */
  respond: (endpoint: string, behaviour: Behaviour) => void;
  /** Called with every receipt before it is answered, for example to kill the process that waits for the response. */
  onReceipt: (listener: ReceiptListener) => void;
  close: () => Promise<void>;
};

/** One HTTPS server for the endpoints of all customers; the path names the endpoint. */
export async function startReceivers(): Promise<Receivers> {
  const receiver: Receiver = await startReceiver();
  const behaviours = new Map<string, Behaviour>();
  const counts = new Map<string, number>();
  const receipts: Receipt[] = [];
  const listeners: ReceiptListener[] = [];
  receiver.respondWith(async (request) => {
    // Only receipts are kept: the bodies of a long run would fill the memory.
    receiver.requests.length = 0;
    const receipt = writeDown(request);
    const nth = (counts.get(receipt.endpoint) ?? 0) + 1;
    counts.set(receipt.endpoint, nth);
    receipts.push(receipt);
    for (const listener of listeners) listener(receipt, request);
    return (await behaviours.get(receipt.endpoint)?.(receipt, nth, request)) ?? {};
  });
  return {
    caPem: receiver.caPem,
    receipts,
    urlOf: (endpoint) => new URL(`/${endpoint}`, receiver.url).href,
    respond: (endpoint, behaviour) => void behaviours.set(endpoint, behaviour),
    onReceipt: (listener) => void listeners.push(listener),
    close: receiver.close,
  };
}

/**
 * Refuses the first attempt of every other delivery, chosen by its body. An endpoint that refused every first attempt
 * would open its breaker.
 */
export const flaky: Behaviour = ({ attempt, hash }) => ({
  status: attempt === 1 && /^[A-Za-f]/.test(hash) ? 500 : 200,
});

export function hashOf(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('base64url');
}

function writeDown({ url, headers, body, at }: ReceivedRequest): Receipt {
  return {
    endpoint: url.slice(1),
    eventId: String(headers['webhook-id']),
    attempt: Number(headers['webhook-attempt']),
    hash: hashOf(body),
    atMs: at.getTime(),
  };
}
