import type { Transport } from './transport.ts';

/** The options of every call. */
export type RequestOptions = {
  /** Ends the request, or the pause before a retry. The call then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Overrides the client's `timeoutMs`. */
  timeoutMs?: number | undefined;
  /** Overrides the client's `retries`. */
  retries?: number | undefined;
};

/** The options of a call that takes an idempotency key. */
export type ChangeOptions = RequestOptions & {
  /** Within 24 hours, the same call with the same key is done only once. Default: a new key for each call. */
  idempotencyKey?: string | undefined;
};

export class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }
}
