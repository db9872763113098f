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
  return open(options, { enableOfflineQueue: false, maxRetriesPerRequest: 1 });
}

/** A connection that waits for Redis for as long as it takes, for workers. */
export function openWorkerConnection(options: RedisOptions): Redis {
  return open(options, { maxRetriesPerRequest: null });
}

/** Whether Redis answers within the time; for readiness. */
export async function redisAnswers(connection: Redis, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs);
  });
  const answer = connection.ping().then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

function open(options: RedisOptions, behaviour: { enableOfflineQueue?: boolean; maxRetriesPerRequest: number | null }) {
  const connection = new Redis(options.redisUrl, {
    ...behaviour,
    connectTimeout: 5_000,
    // A half-open connection would otherwise stop a worker for ever, without a word.
    socketTimeout: 15_000,
    retryStrategy: (tries) => Math.min(100 * tries, 1_000),
  });
  connection.on('error', options.onError);
  return connection;
}
