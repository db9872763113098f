import type { ClientRequest } from 'node:http';
import { Agent } from 'node:https';
import { type LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, rootCertificates, type SecureContext, TLSSocket } from 'node:tls';
import { type AddressRules, isAllowedAddress } from '@posthorn/egress/address-rules';
import { CIPHERS } from '@posthorn/egress/ciphers';
import type { VettedAddress } from '@posthorn/egress/literal-host';
import type { Lookup } from '@posthorn/egress/lookup';
import type { Tunnels } from '../tunnel.ts';
import type { OwnTls } from './own-tls.ts';

type EgressAgentOptions = {
  rules: AddressRules;
  lookup: Lookup;
  /** A certificate authority (PEM) to trust in addition to the well-known ones. */
  ca?: string | undefined;
  keepsConnections?: boolean;
  /** Connects through a proxy if set. */
  through?: Through | undefined;
  /** Replaces the well-known authorities and the URL's host. */
  tls?: OwnTls | undefined;
};

/** `timeoutMs` covers the name look-up, the tunnel and TLS together. */
export type Through = { tunnels: Tunnels; timeoutMs: number; monotonicMs: () => number };

/** A connection through a proxy: the address at the far end, and the duration of each step. */
type Tunnelled = { remoteAddress: string; dnsMs: number; connectMs: number; tlsMs: number };

const tunnelled = new WeakMap<Duplex, Tunnelled>();

/** Data about a connection through a proxy that Node cannot know; undefined for a direct connection. */
export function tunnelledOf(socket: Duplex): Tunnelled | undefined {
  return tunnelled.get(socket);
}

/** This agent's error codes for a failed connection, in addition to Node's own. */
export const egressErrorCode = { blocked: 'ERR_ADDRESS_BLOCKED', unresolved: 'ERR_NAME_UNRESOLVED' } as const;

/**
 * Many servers close an idle connection after 5 s without announcing it. A request that is sent at that moment is lost.
 */
const UNANNOUNCED_IDLE_MS = 4_000;
/** The longest idle time, whatever `Keep-Alive: timeout=…` announces. */
const MAX_IDLE_MS = 15_000;
/**
 * The agent's own timeout. If the announced time less a second is shorter, Node uses that instead. So a shorter value
 * means that the server announced a time.
 */
const NOT_ANNOUNCED_MS = 3_600_000;
/** The limit for all endpoints together. Further requests wait for a free connection. */
const MAX_SOCKETS = 1_000;
/** Above this number, a connection is closed after use, so that idle connections do not delay other endpoints. */
const CROWDED_SOCKETS = 500;

/**
 * Connects only to checked addresses. A name is pinned to the addresses that `lookup` allows. A socket that is
 * connected to any other address is destroyed before a byte is written. Node does not look up literal addresses, so the
 * caller checks those. Connections are kept alive, and TLS sessions are resumed. It overrides the hooks that Node
 * documents for agents.
 */
export class EgressAgent extends Agent {
  readonly #rules: AddressRules;
  readonly #lookup: Lookup;
  readonly #through: Through | undefined;
  #open = 0;
  #isDestroyed = false;

  constructor({ rules, lookup, ca, keepsConnections = true, through, tls }: EgressAgentOptions) {
    super({
      keepAlive: keepsConnections,
      // First in, first out: each connection is used before its idle time ends, and a burst finds all of them. Last in,
      // first out made 40 handshakes a second at full rate.
      scheduling: 'fifo',
      timeout: NOT_ANNOUNCED_MS,
      lookup: pinTo(lookup),
      // By default Node leaves an address after 250 ms if there is another, but connecting to a distant receiver takes
      // longer.
      autoSelectFamilyAttemptTimeout: 2_000,
      maxCachedSessions: 1_000,
      maxTotalSockets: MAX_SOCKETS,
      // Set here, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment does not disable the check.
      rejectUnauthorized: true,
      // Shared by all connections, because otherwise each one would parse the authorities again.
      secureContext: tls?.secureContext ?? trusting(ca),
      ...(tls?.serverName === undefined ? {} : { servername: tls.serverName }),
    });
    this.#rules = rules;
    this.#lookup = lookup;
    this.#through = through;
  }

  override createConnection(...given: Parameters<Agent['createConnection']>): Duplex | null | undefined {
    if (this.#through !== undefined) {
      const [options, callback = () => undefined] = given;
      // If no connection is returned, Node takes it from the callback.
      this.#connectThrough(this.#through, options).then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, new Socket()),
      );
      return undefined;
    }
    const socket = super.createConnection(...given);
    this.#count(socket);
    // This must be the first listener, because the TLS handshake begins in a later one.
    socket?.prependOnceListener('connect', () => {
      const address = socket instanceof Socket ? socket.remoteAddress : undefined;
      if (address === undefined || !isAllowedAddress(address, this.#rules)) socket.destroy(egressError('blocked'));
    });
    return socket;
  }

  #count(socket: Duplex | null | undefined): void {
    this.#open += 1;
    socket?.once('close', () => {
      this.#open -= 1;
    });
  }

  /** Resolves with a connection after its TLS handshake. Rejects with an Error like those that a request emits. */
  async #connectThrough(
    { tunnels, timeoutMs, monotonicMs }: Through,
    options: Parameters<Agent['createConnection']>[0],
  ): Promise<Duplex> {
    const startedMs = monotonicMs();
    const untilMs = startedMs + timeoutMs;
    const vetted = await this.#lookup(options.host ?? '');
    if (vetted.kind === 'blocked') throw egressError('blocked');
    if (vetted.kind === 'failed') throw egressError('unresolved', vetted.code);
    const foundMs = monotonicMs();
    const { tcp, address } = await openFirst(tunnels, vetted.addresses, { port: Number(options.port), untilMs });
    const connectedMs = monotonicMs();
    const socket = super.createConnection({ ...options, socket: tcp } as typeof options);
    if (!(socket instanceof TLSSocket)) throw new Error('Node made no TLS connection');
    this.#count(socket);
    await secured(socket, untilMs - connectedMs);
    if (this.#isDestroyed) {
      socket.destroy();
      throw egressError('unresolved', 'the service is being stopped');
    }
    tunnelled.set(socket, {
      remoteAddress: address,
      dnsMs: Math.round(foundMs - startedMs),
      connectMs: Math.round(connectedMs - foundMs),
      tlsMs: Math.round(monotonicMs() - connectedMs),
    });
    return socket;
  }

  override destroy(): void {
    this.#isDestroyed = true;
    super.destroy();
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
  return createSecureContext({ ciphers: CIPHERS, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) });
}

/** The most addresses of a name to try through the proxy. */
const MAX_ADDRESSES = 3;

/** IPv4 first, because many proxies have no IPv6, and then fail only after a while. */
async function openFirst(
  tunnels: Tunnels,
  addresses: readonly VettedAddress[],
  { port, untilMs }: { port: number; untilMs: number },
) {
  const ordered = addresses.toSorted((a, b) => a.family - b.family).slice(0, MAX_ADDRESSES);
  let failure: unknown;
  for (const { address } of ordered) {
    try {
      return { address, tcp: await tunnels.open(address, port, untilMs) };
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

function secured(socket: TLSSocket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      clearTimeout(deadline);
      reject(error);
    };
    const deadline = setTimeout(
      () => socket.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })),
      Math.max(1, timeoutMs),
    );
    socket.once('error', fail);
    socket.once('close', () => fail(Object.assign(new Error(), { code: 'ECONNRESET' })));
    socket.once('secureConnect', () => {
      clearTimeout(deadline);
      socket.removeListener('error', fail);
      resolve();
    });
  });
}

/** A look-up function for sockets that returns only allowed addresses. */
export function pinTo(lookup: Lookup): LookupFunction {
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

export function egressError(kind: keyof typeof egressErrorCode, detail = ''): NodeJS.ErrnoException {
  return Object.assign(new Error(detail), { code: egressErrorCode[kind] });
}
