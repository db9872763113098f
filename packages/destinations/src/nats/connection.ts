import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import {
  type Authenticator,
  credsAuthenticator,
  type MsgHdrs,
  type NatsConnection,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import type { Lookup } from '@posthorn/egress/lookup';
import { tlsOptions, vetServer } from '../broker/dial.ts';
import { FoundError } from '../broker/failures.ts';
import type { Server } from '../broker/fields.ts';
import type { BrokerConnection, BrokerPlace } from '../broker/open-broker.ts';
import { describeSendError } from '../webhook/send-error.ts';
import { type NatsSettings, serversOf } from './describe.ts';
import { connectBounded } from './transport.ts';

export type NatsMessage = { subject: string; payload: Uint8Array; headers: MsgHdrs; messageId: string };

/** JetStream's acknowledgement of a message that a stream has stored. */
export type StreamAck = { stream: string; sequence: number };

export type Nats = BrokerConnection & {
  /** The largest message that the server takes now, including headers. */
  readonly mostBytes: number;
  /** Resolves when a stream has acknowledged the message. Otherwise rejects with an error of the library. */
  publish(message: NatsMessage): Promise<StreamAck>;
  /** The name of the stream that captures the subject. */
  findStream(subject: string): Promise<string>;
};

/** The answer to a message did not come from a stream. */
export class NoStreamError extends Error {}

const LEAST_TRY_MS = 1_000;
/** A time limit that the library requires. The attempt ends earlier, by its own limit. */
const LONGEST_MS = 300_000;
/** A connection is closed if it does not answer this many pings. */
const PING = { pingInterval: 20_000, maxPingOut: 2 };

type Options = { lookup: Lookup; timeoutMs: number };

/** Connects to the first server that answers. If one address is forbidden, all servers are refused. */
export async function connectNats(place: BrokerPlace<NatsSettings>, { lookup, timeoutMs }: Options): Promise<Nats> {
  const untilMs = performance.now() + timeoutMs;
  let failure: unknown;
  const servers = serversOf(place.settings);
  for (const [index, server] of servers.entries()) {
    const leftMs = untilMs - performance.now();
    if (leftMs < LEAST_TRY_MS) break;
    // A server that does not answer leaves the other servers their share of the time.
    const partMs = Math.max(LEAST_TRY_MS, leftMs / (servers.length - index));
    try {
      return await openAt(server, place, { lookup, timeoutMs: partMs });
    } catch (error) {
      if (describeSendError(error).ends !== undefined) throw error;
      failure = error;
    }
  }
  throw failure ?? Object.assign(new Error(), { code: 'ETIMEDOUT' });
}

/** The most addresses of a server to try. */
const MOST_ADDRESSES = 2;

async function openAt(server: Server, place: BrokerPlace<NatsSettings>, { lookup, timeoutMs }: Options): Promise<Nats> {
  // Look the name up here: the library would do it without the egress rules.
  const vetted = await vetServer(server, lookup);
  // IPv4 first: a server that listens on only one family usually listens on IPv4, so the failure there says more.
  const addresses = vetted.toSorted((a, b) => a.family - b.family).slice(0, MOST_ADDRESSES);
  let failure: unknown;
  for (const { address, family } of addresses) {
    const dialled = `${family === 6 ? `[${address}]` : address}:${server.port}`;
    try {
      return watch(await dial(dialled, server.host, place, timeoutMs / addresses.length), address);
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

function dial(server: string, host: string, { settings, credentials }: BrokerPlace<NatsSettings>, timeoutMs: number) {
  const { tls, ca } = settings;
  return connectBounded({
    servers: server,
    name: 'posthorn',
    timeout: timeoutMs,
    ...PING,
    ...authenticatorOf(credentials),
    // `null` refuses TLS, even where the server offers it.
    tls: tls ? tlsOptions(host, ca) : null,
    // Ignore servers that a cluster announces, because nobody has checked their addresses. The next attempt connects
    // again.
    ...{ resolve: false, reconnect: false, ignoreClusterUpdates: true, noRandomize: true },
  });
}

/** Signs once to test the key. With a bad key, the library would end the connection without saying why. */
function authenticatorOf(credentials: Readonly<Record<string, string>>) {
  const options = chooseAuthenticator(credentials);
  try {
    options.authenticator?.('nonce');
  } catch {
    throw new FoundError({
      errorCode: 'authentication_failed',
      message: 'The seed of the credentials is not a valid key',
    });
  }
  return options;
}

function chooseAuthenticator({ user, password, token, nkeySeed, creds }: Readonly<Record<string, string>>): {
  authenticator?: Authenticator;
} {
  const encode = (text: string) => new TextEncoder().encode(text);
  if (creds !== undefined) return { authenticator: credsAuthenticator(encode(creds)) };
  if (nkeySeed !== undefined) return { authenticator: nkeyAuthenticator(encode(nkeySeed)) };
  if (token !== undefined) return { authenticator: tokenAuthenticator(token) };
  if (user !== undefined) return { authenticator: usernamePasswordAuthenticator(user, password) };
  return {};
}

function watch(connection: NatsConnection, address: string): Nats {
  const stream = jetstream(connection);
  return {
    // The greeting has the server's limit. The account's limit arrives later.
    get mostBytes() {
      return connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
    },
    isOpen: () => !connection.isClosed(),
    close: () => void connection.close().catch(() => undefined),
    remoteAddress: () => address,
    whyLate: () => undefined,
    async publish({ subject, payload, headers, messageId }) {
      const ack: { stream?: unknown; seq?: unknown; duplicate?: unknown } = await stream.publish(subject, payload, {
        ...{ msgID: messageId, headers, timeout: LONGEST_MS },
      });
      // Any subscriber of the subject may answer, and the library would accept the answer.
      const isAck = typeof ack.stream === 'string' && ack.stream !== '' && Number.isSafeInteger(ack.seq);
      if (!isAck) throw new NoStreamError();
      const isDuplicate = ack.duplicate === true;
      return { stream: String(ack.stream), sequence: Number(ack.seq), ...(isDuplicate ? { duplicate: true } : {}) };
    },
    async findStream(subject) {
      const manager = await jetstreamManager(connection, { checkAPI: false, timeout: LONGEST_MS });
      return manager.streams.find(subject);
    },
  };
}
