import type { ClientRequest } from 'node:http';
import { Agent } from 'node:https';
import { type LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { type AddressRules, isAllowedAddress } from '@posthorn/egress/address-rules';
import type { Lookup } from '@posthorn/egress/lookup';

type EgressAgentOptions = {
  rules: AddressRules;
  lookup: Lookup;
  /** A certificate authority (PEM) to trust besides the well-known ones. */
  ca?: string | undefined;
  keepsConnections?: boolean;
};

/** The error codes of this agent for a failed connection, besides Node's own. */
export const egressErrorCode = { blocked: 'ERR_ADDRESS_BLOCKED', unresolved: 'ERR_NAME_UNRESOLVED' } as const;

/** Many servers close an idle connection after 5 s without announcing it. A request that is sent just then is lost. */
const UNANNOUNCED_IDLE_MS = 4_000;
/** The longest idle time, whatever `Keep-Alive: timeout=…` announces. */
const MAX_IDLE_MS = 15_000;
/**
 * The agent's own timeout. Node replaces it by the announced time less a second, if that is shorter. So a shorter value
 * means that a time was announced.
 */
const NOT_ANNOUNCED_MS = 3_600_000;
/** The limit for all endpoints together. Further requests wait for a connection. */
const MAX_SOCKETS = 1_000;
/** Above this number, a connection is closed after use, so that idle connections do not delay other endpoints. */
const CROWDED_SOCKETS = 500;

/**
 * Connects only to checked addresses. A name is pinned to the addresses that `lookup` allows. A socket that is
 * connected to another address is destroyed before a byte is written. Node does not look up literal addresses: the
 * caller checks those. Connections are kept alive, and TLS sessions are resumed. It overrides the hooks that Node
 * documents for agents.
 */
export class EgressAgent extends Agent {
  readonly #rules: AddressRules;
  #open = 0;

  constructor({ rules, lookup, ca, keepsConnections = true }: EgressAgentOptions) {
    super({
      keepAlive: keepsConnections,
      // First in, first out: each connection is used before its idle time ends, and a burst finds all of them. Last in,
      // first out made 40 handshakes a second at full rate.
      scheduling: 'fifo',
      timeout: NOT_ANNOUNCED_MS,
      lookup: pinTo(lookup),
      // By default Node gives up an address after 250 ms if there is another, but connecting to a distant receiver
      // takes longer.
      autoSelectFamilyAttemptTimeout: 2_000,
      maxCachedSessions: 1_000,
      maxTotalSockets: MAX_SOCKETS,
      // Set here, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment does not disable the check.
      rejectUnauthorized: true,
      // Shared by all connections, because otherwise each one would parse the authorities again.
      secureContext: trusting(ca),
    });
    this.#rules = rules;
  }

  override createConnection(...given: Parameters<Agent['createConnection']>): Duplex | null | undefined {
    const socket = super.createConnection(...given);
    this.#open += 1;
    socket?.once('close', () => {
      this.#open -= 1;
    });
    // It must be the first listener, because the TLS handshake begins in a later one.
    socket?.prependOnceListener('connect', () => {
      const address = socket instanceof Socket ? socket.remoteAddress : undefined;
      if (address === undefined || !isAllowedAddress(address, this.#rules)) socket.destroy(egressError('blocked'));
    });
    return socket;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const isCrowded = this.#open > CROWDED_SOCKETS;
    // Node documents a boolean result: whether the socket is kept. Its type is void.
    const answer: unknown = super.keepSocketAlive(socket);
    const isKept = !isCrowded && answer === true;
    if (socket instanceof Socket) {
      const { timeout = NOT_ANNOUNCED_MS } = socket;
      socket.setTimeout(timeout === NOT_ANNOUNCED_MS ? UNANNOUNCED_IDLE_MS : Math.min(timeout, MAX_IDLE_MS));
    }
    // Bytes that arrive while no request is open would be read as the answer to the next one.
    if (isKept) socket.on('data', destroySocket);
    return isKept;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    socket.removeListener('data', destroySocket);
    super.reuseSocket(socket, request);
  }
}

/** The certificate authorities that deliveries trust: the well-known ones, and `ca` (PEM). */
export function trusting(ca: string | undefined): SecureContext {
  return createSecureContext(ca === undefined ? {} : { ca: [...rootCertificates, ca] });
}

function pinTo(lookup: Lookup): LookupFunction {
  return (hostname, { all }, callback) => {
    lookup(hostname).then((vetted) => {
      if (vetted.kind === 'blocked') return callback(egressError('blocked'), []);
      if (vetted.kind === 'failed') return callback(egressError('unresolved', vetted.code), []);
      const [first] = vetted.addresses;
      if (all === true || first === undefined) return callback(null, [...vetted.addresses]);
      callback(null, first.address, first.family);
    });
  };
}

function destroySocket(this: Duplex): void {
  this.destroy();
}

function egressError(kind: keyof typeof egressErrorCode, detail = ''): NodeJS.ErrnoException {
  return Object.assign(new Error(detail), { code: egressErrorCode[kind] });
}
