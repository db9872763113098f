import { Redis } from 'ioredis';

export type RedisOptions = {
  redisUrl: string;
  /** Told of every connection error; ioredis goes on trying. */
  onError: (error: Error) => void;
};

/**
 * A connection that fails at once while Redis is away, for those who must not wait for it. It connects in the
 * background, so a process starts without Redis too.
 */
export function openProducerConnection(options: RedisOptions): Redis {
  return open(options, { enableOfflineQueue: false, maxRetriesPerRequest: 1, socketTimeout: 5_000 });
}

/** A connection that waits for Redis for as long as it takes, for workers. */
export function openWorkerConnection(options: RedisOptions): Redis {
  // Longer than a worker blocks for jobs: 5 s while there are none, 10 s while some are delayed.
  return open(options, { maxRetriesPerRequest: null, socketTimeout: 15_000 });
}

type Behaviour = {
  enableOfflineQueue?: boolean;
  maxRetriesPerRequest: number | null;
  /** How long an answer may take. A half-open connection would otherwise be waited on for ever, without a word. */
  socketTimeout: number;
};

function open(options: RedisOptions, behaviour: Behaviour): Redis {
  const connection = new Redis(options.redisUrl, {
    ...behaviour,
    connectTimeout: 5_000,
    retryStrategy: (tries) => Math.min(100 * tries, 500),
  });
  connection.on('error', options.onError);
  return connection;
}
