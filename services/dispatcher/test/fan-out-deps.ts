import type { SealingKeys } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import { createRoutes } from '@posthorn/routing/routes';
import { systemClock } from '@posthorn/runtime/clock';
import type { Reservation } from '../src/fan-out/immediate-attempts.ts';
import type { FanOutDeps } from '../src/fan-out/write-deliveries.ts';

/** A reservation under which no delivery is attempted at once. */
export const NOTHING_RESERVED: Reservation = {
  has: () => false,
  delaySeconds: () => 0,
  entersLine: () => false,
  claim: () => {},
  release: () => {},
  begin: () => {},
};

/** The dependencies of fan-out. A test replaces the parts that it is about. The others do nothing. */
export function fanOutDeps(db: Db, keys: SealingKeys): FanOutDeps {
  return {
    db,
    keys,
    routes: createRoutes(db),
    immediate: {
      room: () => 1_000,
      awaitRoom: async () => {},
      reserve: async () => NOTHING_RESERVED,
      take: async () => {},
    },
    enqueue: async () => {},
    enqueueFanOut: async () => {},
    clock: { ...systemClock, monotonicMs: () => 0 },
    logger: { warn: () => {} },
    onCreated: () => {},
    wakeConsumers: () => {},
    ownerOf: (workspaceId) => workspaceId,
    defaultTimeoutSeconds: 15,
  };
}
