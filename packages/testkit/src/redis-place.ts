import { Redis } from 'ioredis';

/** Gives Redis one command over a connection of its own and answers what it answers; throws what it refuses. */
export async function askRedis(redisUrl: string, command: string, ...args: (string | number)[]): Promise<unknown> {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  connection.on('error', () => undefined); // The command's own error says it.
  try {
    return await connection.call(command, ...args);
  } finally {
    connection.disconnect();
  }
}
