import { Redis } from 'ioredis';

export type RedisOptions = {
  redisUrl: string;
  /** Told of every connection error; ioredis goes on trying. */
  onError: (error: Error) => void;
};

/**
 * A connection whose commands fail at once while Redis is away. It connects in the background, so a process starts
 * without Redis too.
 */
export function openProducerConnection(options: RedisOptions): Redis {
  return open(options, { enableOfflineQueue: false, maxRetriesPerRequest: 1, socketTimeout: 5_000 });
}

/** A connection whose commands wait until Redis is back, for workers. */
export function openWorkerConnection(options: RedisOptions): Redis {
  // Longer than a worker blocks for jobs: 5 s while there are none, 10 s while some are delayed.
  return open(options, { maxRetriesPerRequest: null, socketTimeout: 15_000 });
}

type Behaviour = {
  enableOfflineQueue?: boolean;
  maxRetriesPerRequest: number | null;
  /** How long an answer may take, in milliseconds. Without it, a half-open connection is waited on for ever. */
  socketTimeout: number;
};

const RECONNECT_AND_RESEND = 2;

function open(options: RedisOptions, behaviour: Behaviour): Redis {
  const connection = new Redis(options.redisUrl, {
    ...behaviour,
    connectTimeout: 5_000,
    retryStrategy: (tries) => Math.min(100 * tries, 500),
    // After a failover the old primary keeps its connections open and refuses writes; the address leads to the new one.
    reconnectOnError: ({ message }) => (message.includes('READONLY') ? RECONNECT_AND_RESEND : false),
  });
  connection.on('error', options.onError);
  return connection;
}
