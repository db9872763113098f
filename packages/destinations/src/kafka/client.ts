import { createSecureContext } from 'node:tls';
import {
  type Broker,
  type ClusterMetadata,
  type Connection,
  type ConnectionOptions,
  compatibilityPartitioner,
  NetworkError,
  Producer,
  type SASLOptions,
  type saslAuthenticateV2,
  saslPlain,
  saslScramSha,
} from '@platformatic/kafka';
import { CIPHERS } from '@posthorn/egress/ciphers';
import type { Lookup } from '@posthorn/egress/lookup';
import { vetServer } from '../broker/dial.ts';
import { FoundError } from '../broker/failures.ts';
import type { BrokerPlace } from '../broker/open-broker.ts';
import { pinTo } from '../webhook/egress-agent.ts';
import { tlsFaultOf } from '../webhook/tls-fault.ts';
import { bounded, unreadable } from './answers.ts';
import { brokersOf, type ClusterSettings, certificateOf } from './describe.ts';

/** How much all brokers together may send before their answers to a producer are whole: two descriptions of a topic. */
const MOST_BYTES = 524_288;
/** What keeping a piece takes at least, however short it is. */
const LEAST_OF_PIECE = 512;
/** Each leader of a partition has a connection. So many may one endpoint have, and all endpoints of the process. */
const MOST_CONNECTIONS = { ofEndpoint: 100, ofProcess: 1_000 };
/** The most brokers of a cluster. */
const MOST_BROKERS = 1_000;
/** The limits for how long a broker lets a client stay signed in. */
const SIGNED_IN_MS = { least: 10_000, most: 86_400_000 };
/** RFC 7677 asks for 4,096 iterations, and Kafka takes at most 16,384. More would only keep a thread busy. */
const MOST_ITERATIONS = 65_536;
const MECHANISMS = {
  plain: 'PLAIN',
  'scram-sha-256': 'SCRAM-SHA-256',
  'scram-sha-512': 'SCRAM-SHA-512',
} as const;

/** The library's client, limited to addresses that the egress rules allow. It survives any answer. */
export type Client = {
  producer: Producer;
  /** Whether an answer broke the library, which may then wait forever. */
  isBroken(): boolean;
  /** Why a broker has ended TLS, or was cut off: the library only says that the connection was closed. */
  whyEnded(): Error | undefined;
};

/** Makes no connection yet. The library connects when it needs to, and again after a connection was lost. */
export function createClient(
  { settings, credentials }: BrokerPlace<ClusterSettings>,
  {
    lookup,
    connectTimeoutMs,
    requestTimeoutMs,
    mostBytes = MOST_BYTES,
  }: { lookup: Lookup; connectTimeoutMs: number; requestTimeoutMs: number; mostBytes?: number },
): Client {
  const producer = new Producer({
    clientId: 'posthorn',
    bootstrapBrokers: brokersOf(settings),
    connectTimeout: connectTimeoutMs,
    requestTimeout: requestTimeoutMs,
    timeout: requestTimeoutMs,
    ...tlsOf(settings, credentials, lookup),
    ...saslOf(settings, credentials),
    // The library's idempotent producer loses messages that are sent at the same time, so retries are left to the
    // endpoint's schedule (docs/adr/0019-kafka-without-idempotence.md).
    idempotent: false,
    retries: 0,
    repeatOnStaleMetadata: false,
    // Our own connection refreshes the metadata, and checks it first.
    metadataMaxAge: Number.MAX_SAFE_INTEGER,
    autocreateTopics: false,
    // Partitions keys as Apache Kafka's clients do, so that equal keys of other producers land in the same partition.
    partitioner: compatibilityPartitioner,
  });
  let isBroken = false;
  let ended: Error | undefined;
  const tellEnd = (error: Error) => {
    if (error instanceof FoundError || tlsFaultOf(error) !== undefined) ended = error;
  };
  const tellBroken = () => {
    isBroken = true;
  };
  // A cluster announces its own addresses, so every address is checked whenever it is connected to.
  const { connections } = producer;
  const connect = connections.get.bind(connections);
  const get = async (broker: Broker | undefined): Promise<Connection> => {
    if (producer.closed) throw new FoundError(CLOSED);
    if (broker === undefined)
      throw new FoundError({ errorCode: 'broker_error', message: 'The partition has no leader' });
    const [first] = (await vetServer(broker, lookup)).toSorted((a, b) => a.family - b.family);
    // With TLS the library needs the name, and looks it up through `pinTo`.
    const dialled = settings.tls || first === undefined ? broker : { ...broker, host: first.address };
    if (!connections.has(dialled)) makeRoom([...connections].map(([, connection]) => connection));
    return connect(dialled);
  };
  connections.get = ((broker: Broker | undefined, callback: (error: Error | null, got?: Connection) => void) => {
    get(broker)
      .then(
        (connection) => callback(null, connection),
        // The library reads from every error whether it may try again.
        (cause: Error) => callback(new NetworkError('No connection', { cause, canRetry: false })),
      )
      .catch(tellBroken);
  }) as typeof connections.get;
  const kept = { bytes: 0, most: mostBytes };
  connections.on('connecting', ({ connection }) => {
    guard(connection, { kept, tellBroken, tellEnd });
  });
  return { producer, isBroken: () => isBroken, whyEnded: () => ended };
}

const CLOSED = { errorCode: 'connection_reset', message: 'The connection was closed' } as const;
const TOO_MANY = { errorCode: 'broker_error', message: 'The topic has its partitions at too many brokers' } as const;

/** For each open connection in this process, the number of requests that wait for an answer. */
const waiting = new Map<Connection, number>();

/** Closes an idle connection if there are too many, because a cluster may announce any number of brokers. */
function makeRoom(present: readonly Connection[]): void {
  const { ofEndpoint, ofProcess } = MOST_CONNECTIONS;
  if (present.length < ofEndpoint && (present.length === 0 || waiting.size < ofProcess)) return;
  const idle = present.find((connection) => waiting.get(connection) === 0);
  if (idle === undefined) throw new FoundError(TOO_MANY);
  idle.close(() => undefined);
  idle.socket.destroy();
}

/**
 * Protects the process from a hostile broker's bytes. The library would throw inside an event handler, which ends the
 * process.
 */
function guard(
  connection: Connection,
  {
    kept,
    tellBroken,
    tellEnd,
  }: { kept: { bytes: number; most: number }; tellBroken: () => void; tellEnd: (error: Error) => void },
): void {
  // The library sends a goodbye and waits for the other side to close. Destroy the socket instead.
  connection.on('error', () => connection.socket?.destroy());
  let received = 0;
  const keep = (bytes: number) => {
    kept.bytes += bytes - received;
    received = bytes;
  };
  const send = connection.send.bind(connection);
  const count = (by: 1 | -1) => {
    const now = waiting.get(connection);
    if (now !== undefined) waiting.set(connection, now + by);
  };
  connection.send = ((...given: Parameters<typeof send>) => {
    const [parse, answered] = [bounded(given[3]), given[6]];
    given[3] = (...answer) => {
      keep(0);
      return parse(...answer);
    };
    given[6] = (error, answer) => {
      count(-1);
      answered(error, answer);
    };
    count(1);
    send(...given);
  }) as typeof connection.send;
  // The socket exists only after this event. Its own events come later.
  process.nextTick(() => {
    const { socket } = connection;
    if (socket === undefined) return;
    waiting.set(connection, 0);
    socket.once('close', () => {
      waiting.delete(connection);
      keep(0);
    });
    socket.on('error', tellEnd);
    const emit = socket.emit.bind(socket);
    socket.emit = (event: string | symbol, ...given: unknown[]) => {
      try {
        if (event === 'data' && Buffer.isBuffer(given[0])) {
          keep(received + Math.max(given[0].length, LEAST_OF_PIECE));
          if (kept.bytes > kept.most) throw unreadable('it is too long');
        }
        return emit(event, ...given);
      } catch (error) {
        keep(0);
        tellBroken();
        socket.destroy(error instanceof Error ? error : undefined);
        return true;
      }
    };
  });
}

function tlsOf({ tls, ca }: ClusterSettings, credentials: BrokerPlace<ClusterSettings>['credentials'], lookup: Lookup) {
  if (!tls) return {};
  const options: ConnectionOptions = {
    // Uses each broker's host for SNI and the check of its certificate.
    tlsServerName: true,
    tls: {
      secureContext: createSecureContext({
        ciphers: CIPHERS,
        ...(ca === undefined ? {} : { ca }),
        ...certificateOf(credentials),
      }),
      // Set here, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment does not disable the check.
      rejectUnauthorized: true,
      ...{ lookup: pinTo(lookup) },
    },
  };
  return options;
}

function saslOf({ saslMechanism }: ClusterSettings, { username, password }: Readonly<Record<string, string>>) {
  if (saslMechanism === 'none') return {};
  if (username === undefined || password === undefined) {
    const message = `The mechanism ${saslMechanism} needs username and password`;
    throw new FoundError({ errorCode: 'authentication_failed', message });
  }
  const mechanism = MECHANISMS[saslMechanism];
  const sasl: SASLOptions = {
    ...{ mechanism, username, password },
    // Signs in as the library does, but limits the number of iterations and of repeated sign-ins.
    authenticate(_mechanism, connection, authenticate, _username, _password, _token, tell) {
      const callback: typeof tell = (error, answer) => tell(error, answer && withBoundedLifetime(answer));
      if (mechanism === 'PLAIN') saslPlain.authenticate(authenticate, connection, username, password, callback);
      else {
        const algorithm = mechanism === 'SCRAM-SHA-256' ? 'SHA-256' : 'SHA-512';
        saslScramSha.authenticate(authenticate, connection, algorithm, username, password, CRYPTO, callback);
      }
    },
  };
  return { sasl };
}

type SignedIn = saslAuthenticateV2.SaslAuthenticateResponse;

/** Limits the session lifetime: each sign-in costs CPU, and a time too long for a Node timer would end at once. */
function withBoundedLifetime(answer: SignedIn): SignedIn {
  const ms = Number(answer.sessionLifetimeMs);
  if (!(ms > 0)) return answer;
  const { least, most } = SIGNED_IN_MS;
  return { ...answer, sessionLifetimeMs: BigInt(Math.min(Math.max(ms, least), most)) };
}

const CRYPTO: typeof saslScramSha.defaultCrypto = {
  ...saslScramSha.defaultCrypto,
  async hi(definition, password, salt, iterations) {
    if (!(iterations <= MOST_ITERATIONS)) throw new Error('too many iterations');
    return saslScramSha.hi(definition, password, salt, iterations);
  },
};

/**
 * Why the library cannot use this metadata; undefined if it can. The library would throw an error, or keep everything.
 */
export function faultOfMetadata({ topics, brokers }: ClusterMetadata, topic: string, asked = 1): string | undefined {
  if (topics.size > asked || brokers.size > MOST_BROKERS) return 'The broker described too much';
  const { partitions = [], partitionsCount = 0 } = topics.get(topic) ?? {};
  const isWhole =
    partitionsCount > 0 && Array.from({ length: partitionsCount }, (_, index) => partitions[index]).every(Boolean);
  return isWhole ? undefined : 'The broker described no partitions of the topic';
}
