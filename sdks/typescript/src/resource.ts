import type { Transport } from './transport.ts';

/** The options of every call. */
export type RequestOptions = {
  /** Ends the request, and the pause before a retry; the call then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Instead of the client's `timeoutMs`. */
  timeoutMs?: number | undefined;
  /** Instead of the client's `retries`. */
  retries?: number | undefined;
};

/** The options of a call that creates or changes something and has no name of its own for it. */
export type ChangeOptions = RequestOptions & {
  /** Within 24 hours, the same call with the same key is done once. The library makes one where none is given. */
  idempotencyKey?: string | undefined;
};

export class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }
}
