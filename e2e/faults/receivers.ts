import { createHash } from 'node:crypto';
import { type ReceivedRequest, type Receiver, type ReceiverAnswer, startReceiver } from '@posthorn/testkit/receiver';
import type { Receipt } from './oracle.ts';

export type { ReceiverAnswer } from '@posthorn/testkit/receiver';

/** What an endpoint answers; `nth` counts its receipts from 1. */
export type Behaviour = (
  receipt: Receipt,
  nth: number,
  request: ReceivedRequest,
) => ReceiverAnswer | Promise<ReceiverAnswer>;

type ReceiptListener = (receipt: Receipt, request: ReceivedRequest) => void;

export type Receivers = {
  caPem: string;
  /** In the order of their arrival, each written down before it was answered. */
  receipts: Receipt[];
  urlOf: (endpoint: string) => string;
  /** From the next request on; the first behaviour answers 200. */
  respond: (endpoint: string, behaviour: Behaviour) => void;
  /** Told of every receipt before it is answered, such as to kill who waits for the answer. */
  onReceipt: (listener: ReceiptListener) => void;
  close: () => Promise<void>;
};

/** One HTTPS server that plays the endpoints of all customers, told apart by their paths. */
export async function startReceivers(): Promise<Receivers> {
  const receiver: Receiver = await startReceiver();
  const behaviours = new Map<string, Behaviour>();
  const counts = new Map<string, number>();
  const receipts: Receipt[] = [];
  const listeners: ReceiptListener[] = [];
  receiver.respondWith(async (request) => {
    // What is wanted of it is written down here; the bodies of a long run would fill the memory.
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
 * Refuses the first attempt of every other delivery, drawn by its body: an endpoint that refused every first one would be
 * taken for dead, and held back.
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
