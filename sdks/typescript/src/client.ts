import type { AnyPayloads } from './ingestion.ts';
import { type PosthornOptions, readOptions } from './options.ts';
import { type PulledMessage, type PullOptions, pull } from './pull.ts';
import { Resources } from './resources.ts';
import { Transport } from './transport.ts';

/**
 * A client of one Posthorn. An API key sends events, a pull key fetches messages, and a management token does
 * everything else. Throws an OptionError for an option that cannot be used.
 *
 * With the type `Payloads` that `posthorn types` writes, `new Posthorn<Payloads>()` accepts only its event types and
 * payloads.
 */
export class Posthorn<Payloads extends AnyPayloads = AnyPayloads> extends Resources<Payloads> {
  readonly #transport: Transport;

  constructor(options: PosthornOptions = {}) {
    const transport = new Transport(readOptions(options));
    super(transport);
    this.#transport = transport;
  }

  /**
   * Fetches the messages of a pull endpoint: `for await (const message of posthorn.pull(endpointId, { pullKey }))`. A message
   * is acknowledged when the body of the loop ends, and given back when the body throws or leaves the loop.
   */
  pull(endpointId: string, options: PullOptions = {}): AsyncGenerator<PulledMessage, void, undefined> {
    return pull(this.#transport, endpointId, options);
  }
}
