import { Redis } from 'ioredis';

/** Empties the one Redis database that the URL names, as an operator's mistake would. */
export async function flushRedis(redisUrl: string): Promise<void> {
  const connection = new Redis(redisUrl);
  try {
    await connection.flushdb();
  } finally {
    connection.disconnect();
  }
}
