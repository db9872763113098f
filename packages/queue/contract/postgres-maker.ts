import { randomUUID } from 'node:crypto';
import { parseSealingKeys, type SealingKeys } from '@posthorn/crypto/seal';
import { createDb } from '@posthorn/db/client';
import { openBus } from '@posthorn/queue/postgres/bus';
import { consumeProbes } from '@posthorn/queue/postgres/consume-probes';
import { createLivePublisher, createLiveSubscriber } from '@posthorn/queue/postgres/live';
import { openPresence } from '@posthorn/queue/postgres/presence';
import { createProbeReplies } from '@posthorn/queue/postgres/probe-replies';
import { createProbes } from '@posthorn/queue/postgres/probes';
import { createPullListener, createPullWaker } from '@posthorn/queue/postgres/pull-wake';
import type { Shared } from '@posthorn/queue/postgres/shared';
import { createThrottle } from '@posthorn/queue/postgres/throttle';
import { createTestDatabase } from '@posthorn/testkit/database';
import type { Maker, Parts } from './maker.ts';

const KEYS = parseSealingKeys(`test:${Buffer.alloc(32, 7).toString('base64')}`);

export type Process = { shared: Shared & { keys: SealingKeys }; close(): Promise<void> };

/** Opens what the parts of one process share. Its bus may reach Postgres by another address. */
export function openProcess(url: string, { busUrl = url, onError = (_error: Error) => {} } = {}): Process {
  const processId = randomUUID();
  const monotonicMs = () => performance.now();
  const db = createDb({ databaseUrl: url, maxConnections: 3, onIdleError: onError });
  const bus = openBus({ processId, databaseUrl: busUrl, monotonicMs, workers: () => 2, onError });
  const of = { role: 'dispatcher', version: 'test', hasBus: bus.isUp };
  const presence = openPresence({ db, processId, monotonicMs, onError, ...of });
  return {
    shared: { db, bus, presence, processId, keys: KEYS, monotonicMs, onError },
    async close() {
      await presence.close();
      await bus.close();
      await db.$disconnect();
    },
  };
}

/** Postgres, with a separate database for each place. */
export const postgresMaker: Maker = {
  async open() {
    const { databaseUrl, db, drop } = await createTestDatabase();
    const processes: Process[] = [];
    return {
      url: databaseUrl,
      process({ url = databaseUrl, onError } = {}): Parts {
        const opened = openProcess(url, onError && { onError });
        processes.push(opened);
        const { shared } = opened;
        return {
          openThrottle: () => createThrottle(shared),
          openProbes: () => createProbes(shared),
          openProbeReplies: () => createProbeReplies(shared),
          consumeProbes: (options) => consumeProbes({ ...shared, ...options }),
          openLivePublisher: () => createLivePublisher(shared),
          openLiveSubscriber: (options) => createLiveSubscriber({ ...shared, ...options }),
          openPullWaker: () => createPullWaker(shared),
          openPullListener: (options) => createPullListener({ ...shared, ...options }),
        };
      },
      async waitingProbes() {
        const [row] = await db.$queryRaw<{ count: number }[]>`
            select count(*)::int as count from probe where taken_by is null`;
        return row?.count ?? 0;
      },
      async close() {
        await Promise.all(processes.map((process) => process.close()));
        await drop();
      },
    };
  },
};
