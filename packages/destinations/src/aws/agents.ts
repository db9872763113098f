import { Agent } from 'node:http';
import type { Agent as SecureAgent } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type AddressRules, isAllowedAddress } from '@posthorn/egress/address-rules';
import type { Lookup } from '@posthorn/egress/lookup';
import { FoundError, NO_PLAINTEXT } from '../broker/failures.ts';
import { EgressAgent, egressError, pinTo, type Through } from '../webhook/egress-agent.ts';

/** An agent for each scheme. Plain HTTP is for servers in the operator's own network. */
export type Agents = { https: SecureAgent; http: Agent };

type Options = {
  rules: AddressRules;
  lookup: Lookup;
  allowPlaintext: boolean;
  /** HTTPS goes through a proxy. Plain HTTP never does: its servers are inside the operator's network. */
  through?: Through | undefined;
};

/** Agents that connect only to addresses that the egress rules allow. Without `allowPlaintext`, HTTP is refused. */
export function createAgents({ rules, lookup, allowPlaintext, through }: Options): Agents {
  return {
    https: new EgressAgent({ rules, lookup, through }),
    http: new PlainEgressAgent({ rules, lookup, allowPlaintext }),
  };
}

class PlainEgressAgent extends Agent {
  readonly #rules: AddressRules;
  readonly #isAllowed: boolean;

  constructor({ rules, lookup, allowPlaintext }: Omit<Options, 'through'>) {
    // Do not keep connections: a server may close one without notice, and the message must not be sent twice because of
    // that.
    super({ keepAlive: false, lookup: pinTo(lookup) });
    this.#rules = rules;
    this.#isAllowed = allowPlaintext;
  }

  override createConnection(...given: Parameters<Agent['createConnection']>): Duplex | null | undefined {
    if (!this.#isAllowed) throw new FoundError(NO_PLAINTEXT);
    const socket = super.createConnection(...given);
    socket?.prependOnceListener('connect', () => {
      const address = socket instanceof Socket ? socket.remoteAddress : undefined;
      if (address === undefined || !isAllowedAddress(address, this.#rules)) socket.destroy(egressError('blocked'));
    });
    return socket;
  }
}
