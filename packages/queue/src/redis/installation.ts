import { repeat } from '@posthorn/runtime/repeat';
import type { Result } from 'ioredis';
import type { InstallationOptions } from '../installation.ts';
import { openProducerConnection, type QueueOptions } from './connection.ts';

/** A claim ends if no process of the installation has renewed it for this time. */
const CLAIM_MS = 60_000;
const RENEW_EVERY_MS = 15_000;
/** The longest time that a process waits for its stores when it starts. */
const START_WITHIN_MS = 2_000;

/** Claims the keys with the prefix, or renews the claim. Returns the installation that has it. */
const CLAIM = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return held end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    claimInstallation(key: string, id: string, forMs: number): Result<string, Context>;
  }
}

/** The key of the claim. It ends a minute after the last process. */
export const installationKey = (prefix: string): string => `${prefix}:installation`;

export async function holdInstallation(
  options: QueueOptions & InstallationOptions,
): Promise<{ stop: () => Promise<void> }> {
  const { prefix, readId, onLook, onAway } = options;
  const connection = openProducerConnection(options);
  connection.defineCommand('claimInstallation', { numberOfKeys: 1, lua: CLAIM });
  const key = installationKey(prefix);
  const look = async () => {
    const id = await readId();
    const isForeign = (await connection.claimInstallation(key, id, CLAIM_MS)) !== id;
    onLook(isForeign);
    return isForeign;
  };
  const ready = new Promise((resolve) => connection.once('ready', resolve));
  const timeout = new Promise<false>((resolve) => setTimeout(resolve, START_WITHIN_MS, false).unref());
  const first = ready.then(look).catch((error: unknown) => {
    onAway(error);
    return false;
  });
  if (await Promise.race([first, timeout])) {
    connection.disconnect();
    throw new Error(
      `another installation, with another database, uses this Redis and the prefix ${prefix}: set QUEUE_PREFIX. If that installation is gone, wait a minute or delete the key ${key}`,
    );
  }
  const rounds = repeat({
    async round() {
      await look();
      return RENEW_EVERY_MS;
    },
    waitAfterErrorMs: RENEW_EVERY_MS,
    onError: onAway,
  });
  return {
    async stop() {
      await rounds.stop();
      connection.disconnect();
    },
  };
}
