import { Redis } from 'ioredis';

/** Runs one Redis command on its own connection and returns the reply; throws Redis' error. */
export async function askRedis(redisUrl: string, command: string, ...args: (string | number)[]): Promise<unknown> {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  connection.on('error', () => undefined); // A connection error is reported by the command itself.
  try {
    return await connection.call(command, ...args);
  } finally {
    connection.disconnect();
  }
}
