import { Redis } from 'ioredis';

/** Runs one Redis command on its own connection, and returns the reply. Throws the error of Redis. */
export async function askRedis(redisUrl: string, command: string, ...args: (string | number)[]): Promise<unknown> {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  connection.on('error', () => undefined); // The command itself reports a connection error.
  try {
    return await connection.call(command, ...args);
  } finally {
    connection.disconnect();
  }
}
