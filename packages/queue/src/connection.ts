import { Redis } from 'ioredis';

export type RedisOptions = {
  redisUrl: string;
  /** Called for every connection error; ioredis keeps reconnecting. */
  onError: (error: Error) => void;
};

/**
 * A connection whose commands fail at once while Redis is away. It connects in the background, so a process can start
 * without Redis.
 */
export function openProducerConnection(options: RedisOptions): Redis {
  return open(options, { enableOfflineQueue: false, maxRetriesPerRequest: 1, socketTimeout: 5_000 });
}

/** A connection for workers: its commands wait until Redis is back. */
export function openWorkerConnection(options: RedisOptions): Redis {
  // Longer than a worker blocks for jobs: 5 s when there are none, 10 s when some are delayed.
  return open(options, { maxRetriesPerRequest: null, socketTimeout: 15_000 });
}

type Behaviour = {
  enableOfflineQueue?: boolean;
  maxRetriesPerRequest: number | null;
  /** The longest wait for an answer, in milliseconds. Without it, a wait on a half-open connection never ends. */
  socketTimeout: number;
};

const RECONNECT_AND_RESEND = 2;

function open(options: RedisOptions, behaviour: Behaviour): Redis {
  const connection = new Redis(options.redisUrl, {
    ...behaviour,
    connectTimeout: 5_000,
    retryStrategy: (tries) => Math.min(100 * tries, 500),
    // After a failover the old primary keeps its connections and refuses writes; the address leads to the new primary.
    reconnectOnError: ({ message }) => (message.includes('READONLY') ? RECONNECT_AND_RESEND : false),
  });
  connection.on('error', options.onError);
  return connection;
}
