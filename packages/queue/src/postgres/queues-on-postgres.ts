import { randomUUID } from 'node:crypto';
import { VERSION } from '@posthorn/runtime/version';
import type { Consumer } from '../consumer.ts';
import type { OpenQueuesDeps, QueueSettings, Queues } from '../queues.ts';
import { ROW_QUEUES, type RowQueue, type Rows } from '../rows.ts';
import { openBus } from './bus.ts';
import { consumeOffers } from './consume-offers.ts';
import { consumeProbes } from './consume-probes.ts';
import { createLivePublisher, createLiveSubscriber } from './live.ts';
import { look } from './look.ts';
import { openPresence } from './presence.ts';
import { createProbeReplies } from './probe-replies.ts';
import { createProbes } from './probes.ts';
import { createProducer } from './producer.ts';
import { createPullListener, createPullWaker } from './pull-wake.ts';
import type { Shared } from './shared.ts';
import { createThrottle } from './throttle.ts';

/** Events and deliveries have no jobs here: `Rows` says when rows are due. */
const NO_JOBS: Consumer = { drain: async () => undefined, close: async () => undefined };

/** The queues in Postgres alone: one connection for messages, and tables that a crash of Postgres may empty. */
export function postgresQueues(
  settings: QueueSettings,
  { db, presenceDb = db, role, monotonicMs, onError }: OpenQueuesDeps,
): Queues {
  const processId = randomUUID();
  const { SEALING_KEYS: keys } = settings;
  const bus = openBus({
    processId,
    databaseUrl: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
    monotonicMs,
    workers: () => presence.workers().length,
    onError,
  });
  const process = { processId, role, version: VERSION, hasBus: bus.isUp };
  const presence = openPresence({ db: presenceDb, ...process, monotonicMs, onError });
  const shared: Shared = { db, bus, presence, processId, monotonicMs, onError };
  const listeners = new Set<(queue: RowQueue) => void>();
  const tellHere = (queue: RowQueue) => {
    for (const listener of listeners) listener(queue);
    return listeners.size > 0;
  };
  bus.on('due', (body) => {
    const queue = ROW_QUEUES[body[0] ?? -1];
    if (queue !== undefined) tellHere(queue);
  });
  // The rows have everything that missed messages said.
  bus.onConnected(() => {
    for (const queue of ROW_QUEUES) tellHere(queue);
  });
  const rows: Rows = {
    onDue(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    share() {
      const takers = presence.workers().filter(({ id, slotCount }) => slotCount > 0 || id === processId);
      return {
        place: Math.max(
          0,
          takers.findIndex(({ id }) => id === processId),
        ),
        of: Math.max(1, takers.length),
      };
    },
    isPaused: (queue) => presence.isPaused(queue),
    look,
  };
  return {
    kind: 'postgres',
    rows,
    bus: bus.figures,
    isMixed: presence.isMixed,
    shards: 1,
    openProducer: () => createProducer({ ...shared, tellHere }),
    openThrottle: () => createThrottle(shared),
    openProbes: () => createProbes({ ...shared, keys }),
    openProbeReplies: () => createProbeReplies({ ...shared, keys }),
    openLivePublisher: () => createLivePublisher(shared),
    openLiveSubscriber: (options) => createLiveSubscriber({ ...shared, ...options }),
    openPullWaker: () => createPullWaker(shared),
    openPullListener: (options) => createPullListener({ ...shared, ...options }),
    consumeHandOver: (options) => consumeOffers({ ...shared, ...options }),
    consumeFanOut: () => NO_JOBS,
    consumeDeliver: () => NO_JOBS,
    consumeProbes: (options) => consumeProbes({ ...shared, ...options }),
    // Nothing to claim: the database itself is the installation.
    async holdInstallation({ onLook }) {
      onLook(false);
      return { stop: async () => undefined };
    },
    async close() {
      await presence.close();
      await bus.close();
    },
  };
}
