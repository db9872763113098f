import { askRedis } from '@posthorn/testkit/redis-place';
import type { TcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { OwnStores } from './own-stores.ts';

export type RedisPair = {
  /** The URL of the Redis that accepts writes. */
  masterUrl: () => string;
  /**
   * The second Redis, after it is in sync with the first, takes over its address for new connections. The first one
   * becomes its replica and answers READONLY to every write on its open connections.
   */
  failOver: () => Promise<void>;
  /** Makes the first Redis the master again, and ends the second. */
  failBack: () => Promise<void>;
};

const IN_STEP_WITHIN_MS = 30_000;

/** Manages the Redis of the run and a second one, which is started only for a failover. */
export function createRedisPair(
  firstUrl: string,
  { gates, own }: { gates: () => TcpGate[]; own: OwnStores | undefined },
): RedisPair {
  let masterUrl = firstUrl;
  return {
    masterUrl: () => masterUrl,
    async failOver() {
      const secondUrl = process.env.FAULTS_SECOND_REDIS_URL;
      if (own === undefined || secondUrl === undefined) throw new Error('this Redis is used by others');
      await own('second-redis', 'start');
      await replicate(secondUrl, firstUrl);
      await askRedis(secondUrl, 'REPLICAOF', 'NO', 'ONE');
      masterUrl = secondUrl;
      for (const gate of gates()) gate.moveTo(secondUrl);
      await replicate(firstUrl, secondUrl);
    },
    async failBack() {
      if (masterUrl === firstUrl) return;
      await askRedis(firstUrl, 'REPLICAOF', 'NO', 'ONE');
      masterUrl = firstUrl;
      for (const gate of gates()) gate.moveTo(firstUrl);
      await own?.('second-redis', 'kill');
    },
  };
}

/** Resolves once the replica is in sync with its master. Both must reach each other under these URLs. */
async function replicate(replicaUrl: string, masterUrl: string): Promise<void> {
  const { hostname, port } = new URL(masterUrl);
  await askRedis(replicaUrl, 'REPLICAOF', hostname, port);
  const inStep = async () => {
    const replica = String(await askRedis(replicaUrl, 'INFO', 'replication'));
    return /^master_link_status:up\r?$/m.test(replica) && /^master_sync_in_progress:0\r?$/m.test(replica);
  };
  await waitFor(inStep, { what: 'the replica to be in step', timeoutMs: IN_STEP_WITHIN_MS });
}
