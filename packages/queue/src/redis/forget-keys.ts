import { withDeadline } from '@posthorn/runtime/deadline';
import { Cluster, type Redis } from 'ioredis';
import { openProducerConnection, type QueueOptions, type RedisConnection } from './connection.ts';
import { installationKey } from './installation.ts';

export type Forgotten =
  | { kind: 'forgotten'; keys: number }
  /** A process used the prefix within the last minute. Nothing was deleted. */
  | { kind: 'in_use' };

const ANSWERS_WITHIN_MS = 10_000;
const KEYS_AT_ONCE = 1_000;

/**
 * Deletes every key with the prefix, for an installation that no longer uses Redis. Scans the keys of the servers a few
 * at a time, so that others are not held up. Rejects if Redis does not answer.
 */
export async function forgetKeys(options: QueueOptions): Promise<Forgotten> {
  const connection = openProducerConnection(options);
  try {
    if (!(await withDeadline(untilReady(connection), ANSWERS_WITHIN_MS))) throw new Error('Redis does not answer');
    if ((await connection.exists(installationKey(options.prefix))) > 0) return { kind: 'in_use' };
    let keys = 0;
    for (const server of connection instanceof Cluster ? connection.nodes('master') : [connection]) {
      // In a Cluster, BullMQ's keys have a hash tag.
      for (const pattern of [`${options.prefix}:*`, `{${options.prefix}:*`]) keys += await deleteKeys(server, pattern);
    }
    return { kind: 'forgotten', keys };
  } finally {
    connection.disconnect();
  }
}

async function deleteKeys(server: Redis, pattern: string): Promise<number> {
  let keys = 0;
  let cursor = '0';
  do {
    const [next, found] = await server.scan(cursor, 'MATCH', pattern, 'COUNT', KEYS_AT_ONCE);
    // Delete one by one: in a Cluster, all keys of a command must be in one slot.
    const deleted = server.pipeline();
    for (const key of found) deleted.unlink(key);
    for (const [error] of (await deleted.exec()) ?? []) if (error !== null) throw error;
    keys += found.length;
    cursor = next;
  } while (cursor !== '0');
  return keys;
}

function untilReady(connection: RedisConnection): Promise<void> {
  return new Promise((resolve) => {
    if (connection.status === 'ready') resolve();
    else connection.once('ready', () => resolve());
  });
}
