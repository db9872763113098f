import { parseRedisUrl, type RedisServers } from '@posthorn/runtime/redis-url';
import { Cluster, Redis, type RedisOptions as ServerOptions } from 'ioredis';

export type QueueOptions = RedisOptions & {
  /** The text at the beginning of every key. */
  prefix: string;
};

export type RedisOptions = {
  /** One server, sentinels or a Cluster (`parseRedisUrl`). */
  redisUrl: string;
  /** The certificate authorities of the servers, in PEM; those that Node trusts if unset. */
  redisCa?: string | undefined;
  /** The password of the sentinels themselves. */
  sentinelPassword?: string | undefined;
  /** Called for every connection error. ioredis keeps reconnecting. */
  onError: (error: Error) => void;
};

/** The options of every connection to Redis, from the settings that all services have. */
export function queueOptions(
  settings: {
    REDIS_URL: string;
    REDIS_CA?: string | undefined;
    REDIS_SENTINEL_PASSWORD?: string | undefined;
    QUEUE_PREFIX: string;
  },
  onError: (error: Error) => void,
): QueueOptions {
  return {
    redisUrl: settings.REDIS_URL,
    redisCa: settings.REDIS_CA,
    sentinelPassword: settings.REDIS_SENTINEL_PASSWORD,
    prefix: settings.QUEUE_PREFIX,
    onError,
  };
}

/** A connection to one server, or to a Cluster, where each node is connected when it is first needed. */
export type RedisConnection = Redis | Cluster;

/**
 * A connection whose commands fail at once while Redis is away. It connects in the background, so that a process can
 * start without Redis.
 */
export function openProducerConnection(options: RedisOptions): RedisConnection {
  return open(options, FAILS_AT_ONCE);
}

/** A connection for workers, whose commands wait until Redis is back. */
export function openWorkerConnection(options: RedisOptions): RedisConnection {
  // Longer than a worker blocks for jobs: 5 s if there are none, 10 s if some are delayed.
  return open(options, { maxRetriesPerRequest: null, socketTimeout: 15_000 });
}

/**
 * A connection that listens on channels. In a Cluster, every node passes every message on, so this connects to one
 * node, and after a failure to the next. Unlike the subscriber of ioredis' Cluster, it reports when it was away, and a
 * ping tests it.
 */
export function openListener(options: RedisOptions): Redis {
  const servers = parseRedisUrl(options.redisUrl);
  if (servers.kind !== 'cluster') return openServer(servers, options, FAILS_AT_ONCE);
  const connectTo = (turn: number) => servers.nodes[turn % servers.nodes.length];
  const first = Math.floor(Math.random() * servers.nodes.length);
  const listener: Redis = new Redis({
    ...nodeOptions(servers, options, FAILS_AT_ONCE),
    ...connectTo(first),
    retryStrategy: (tries) => {
      Object.assign(listener.options, connectTo(first + tries));
      return retryAfter(tries);
    },
  });
  listener.on('error', options.onError);
  return listener;
}

/**
 * Listens on the channel. Rejects while Redis is away. ioredis would also subscribe on a connection that is not ready.
 * Then the connection's ready check fails, and the subscription is lost with it.
 */
export async function subscribe(listener: Redis, channel: string): Promise<void> {
  if (listener.status !== 'ready') throw new Error('Redis is not connected');
  await listener.subscribe(channel);
}

type Behaviour = {
  enableOfflineQueue?: boolean;
  maxRetriesPerRequest: number | null;
  /** The longest wait for an answer, in milliseconds. Without it, a wait on a half-open connection never ends. */
  socketTimeout: number;
};

const FAILS_AT_ONCE: Behaviour = { enableOfflineQueue: false, maxRetriesPerRequest: 1, socketTimeout: 5_000 };
const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_AND_RESEND = 2;
const retryAfter = (tries: number) => Math.min(100 * tries, 500);

function open(options: RedisOptions, behaviour: Behaviour): RedisConnection {
  const servers = parseRedisUrl(options.redisUrl);
  return servers.kind === 'cluster'
    ? openCluster(servers, options, behaviour)
    : openServer(servers, options, behaviour);
}

type Kind<Name> = Extract<RedisServers, { kind: Name }>;

function openServer(servers: Kind<'single' | 'sentinel'>, options: RedisOptions, behaviour: Behaviour): Redis {
  const given: ServerOptions = {
    ...behaviour,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: retryAfter,
    // After a failover, the old primary keeps its connections and refuses writes. Reconnecting reaches the new primary.
    reconnectOnError: ({ message }) => (message.includes('READONLY') ? RECONNECT_AND_RESEND : false),
    ...tlsOf(servers, options),
  };
  const connection =
    servers.kind === 'single'
      ? new Redis(servers.url, given)
      : new Redis({ ...given, ...servers.login, ...sentinelsOf(servers, options) });
  connection.on('error', options.onError);
  return connection;
}

function sentinelsOf(servers: Kind<'sentinel'>, options: RedisOptions): ServerOptions {
  const { sentinelPassword } = options;
  const { tls } = tlsOf(servers, options);
  return {
    sentinels: servers.sentinels,
    name: servers.master,
    sentinelRetryStrategy: retryAfter,
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
    ...(tls === undefined ? {} : { enableTLSForSentinelMode: true, sentinelTLS: tls }),
  };
}

/** A Cluster failover takes seconds. A producer's command does not wait for it: it makes 4 tries of 100 ms. */
const PRODUCER_REDIRECTIONS = 5;
const WORKER_REDIRECTIONS = 16;

function openCluster(servers: Kind<'cluster'>, options: RedisOptions, behaviour: Behaviour): Cluster {
  const { enableOfflineQueue = true, ...ofNode } = behaviour;
  const cluster = new Cluster(servers.nodes, {
    enableOfflineQueue,
    maxRedirections: enableOfflineQueue ? WORKER_REDIRECTIONS : PRODUCER_REDIRECTIONS,
    clusterRetryStrategy: retryAfter,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    // Only this refresh finds a node that has none of the slots that this client uses.
    slotsRefreshInterval: 60_000,
    redisOptions: nodeOptions(servers, options, ofNode),
    // A certificate names the host, not its address.
    ...(servers.isEncrypted ? { dnsLookup: (name, done) => done(null, name) } : {}),
  });
  cluster.on('error', options.onError);
  cluster.on('node error', options.onError);
  return cluster;
}

function nodeOptions(servers: Kind<'cluster'>, options: RedisOptions, behaviour: Behaviour): ServerOptions {
  return { ...behaviour, ...servers.login, connectTimeout: CONNECT_TIMEOUT_MS, ...tlsOf(servers, options) };
}

function tlsOf({ isEncrypted }: RedisServers, { redisCa }: RedisOptions): Pick<ServerOptions, 'tls'> {
  if (!isEncrypted) return {};
  return { tls: redisCa === undefined ? {} : { ca: redisCa } };
}
