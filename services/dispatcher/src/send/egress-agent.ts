import { Agent } from 'node:https';
import { type LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, rootCertificates } from 'node:tls';
import { type AddressRules, isAllowedAddress } from '@posthorn/egress/address-rules';
import type { Lookup } from '@posthorn/egress/lookup';

type EgressAgentOptions = {
  rules: AddressRules;
  lookup: Lookup;
  /** An authority (PEM) to trust beside the well-known ones. */
  ca?: string | undefined;
};

/** What a connection of this agent fails with, beside Node's own codes. */
export const egressErrorCode = { blocked: 'ERR_ADDRESS_BLOCKED', unresolved: 'ERR_NAME_UNRESOLVED' } as const;

/**
 * Connects to vetted addresses only: names are pinned to what `lookup` allows, and a socket that came out elsewhere is
 * destroyed before a byte is written to it. Node looks no literal address up: the caller vets those. Connections are
 * kept alive and TLS sessions resumed.
 */
export function createEgressAgent({ rules, lookup, ca }: EgressAgentOptions): Agent {
  const agent = new Agent({
    keepAlive: true,
    // In turn: each is used before its idle time ends, and a burst finds them all. Taken last in, first out, a run at full
    // rate made 40 handshakes a second.
    scheduling: 'fifo',
    timeout: NO_HINT_MS,
    lookup: pinTo(lookup),
    // Node gives up an address after 250 ms when there is another, which a far receiver's never meets.
    autoSelectFamilyAttemptTimeout: 2_000,
    maxCachedSessions: 1_000,
    maxTotalSockets: MOST_CONNECTIONS,
    // Said here, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment does not switch the check off.
    rejectUnauthorized: true,
    // One for all connections: each would read the authorities anew.
    secureContext: createSecureContext(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
  });
  const isCrowded = countConnections(agent);
  checkConnected(agent, rules);
  limitIdle(agent, isCrowded);
  guardIdle(agent);
  return agent;
}

/** Open at once, idle ones included. Node lets a request wait while there are as many. */
const MOST_CONNECTIONS = 1_000;
/** Above it none is kept idle: idle connections to some hosts must not make requests to others wait. */
const CROWDED_CONNECTIONS = 500;

/** Many servers close an idle connection after 5 s without announcing it; a request sent just then is lost. */
const UNANNOUNCED_IDLE_MS = 4_000;
/** Of what `Keep-Alive: timeout=…` announces, as much is made use of. */
const MOST_IDLE_MS = 15_000;
/** Node takes the announced time, less a second, where it is shorter than the agent's: so it shows. */
const NO_HINT_MS = 3_600_000;

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

function checkConnected(agent: Agent, rules: AddressRules): void {
  const connect = agent.createConnection;
  agent.createConnection = (options, callback) => {
    const socket = connect.call(agent, options, callback);
    // The first listener: the TLS handshake begins in a later one.
    socket?.prependOnceListener('connect', () => {
      const address = socket instanceof Socket ? socket.remoteAddress : undefined;
      if (address === undefined || !isAllowedAddress(address, rules)) socket.destroy(egressError('blocked'));
    });
    return socket;
  };
}

/** Answers a function that tells whether so many connections are open that none should be kept idle. */
function countConnections(agent: Agent): () => boolean {
  let connections = 0;
  const connect = agent.createConnection;
  agent.createConnection = (options, callback) => {
    const socket = connect.call(agent, options, callback);
    if (socket) {
      connections += 1;
      socket.once('close', () => {
        connections -= 1;
      });
    }
    return socket;
  };
  return () => connections > CROWDED_CONNECTIONS;
}

function limitIdle(agent: Agent, isCrowded: () => boolean): void {
  const { keepSocketAlive } = agent;
  agent.keepSocketAlive = (socket) => {
    if (isCrowded()) return false;
    // Typed void, but it answers whether the socket is kept.
    const isKept = keepSocketAlive.call(agent, socket);
    if (socket instanceof Socket) {
      const { timeout = NO_HINT_MS } = socket;
      socket.setTimeout(timeout === NO_HINT_MS ? UNANNOUNCED_IDLE_MS : Math.min(timeout, MOST_IDLE_MS));
    }
    return isKept;
  };
}

/** What arrives while no request is open would be taken for the answer to the next one. */
function guardIdle(agent: Agent): void {
  const { keepSocketAlive, reuseSocket } = agent;
  agent.keepSocketAlive = (socket) => {
    // Typed void, but it answers whether the socket is kept.
    const isKept: unknown = keepSocketAlive.call(agent, socket);
    if (isKept === true) socket.on('data', destroySocket);
    return isKept;
  };
  agent.reuseSocket = (socket, request) => {
    socket.removeListener('data', destroySocket);
    reuseSocket.call(agent, socket, request);
  };
}

function destroySocket(this: Duplex): void {
  this.destroy();
}

function egressError(kind: keyof typeof egressErrorCode, detail = ''): NodeJS.ErrnoException {
  return Object.assign(new Error(detail), { code: egressErrorCode[kind] });
}
