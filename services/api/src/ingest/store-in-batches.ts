import type { Db } from '@posthorn/db/client';
import type { FanOutRequest } from '@posthorn/queue/jobs';
import type { LivePublisher } from '@posthorn/queue/live';
import type { Producer } from '@posthorn/queue/producer';
import { createBatcher } from '@posthorn/runtime/batch';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { type NewEvent, type Stored, storeEvents } from './store-events.ts';

export type StoreDeps = {
  db: Db;
  live: Pick<LivePublisher, 'deliveryChanged' | 'eventAccepted'>;
  producer: Pick<Producer, 'enqueueFanOut'>;
  /** For errors that may occur a thousand times a second. */
  quiet: Pick<Logger, 'warn'>;
};

/** The most payload bytes in one insert: a statement's parameters are held in memory several times. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Stores events together with others that arrive at the same time. Resolves once the event is committed. Then its
 * fan-out is enqueued, and live streams are told of it.
 */
export function createStore({ db, live, producer, quiet }: StoreDeps): (event: NewEvent) => Promise<Stored> {
  return createBatcher<NewEvent, Stored>({
    async run(events) {
      const stored = await storeEvents(db, events);
      const toFanOut = events.filter((_event, index) => {
        const one = stored[index];
        return one?.kind === 'stored' && one.isToFanOut;
      });
      for (const [index, { id: eventId, workspaceId, direct }] of events.entries()) {
        if (stored[index]?.kind !== 'stored') continue;
        live.eventAccepted({ workspaceId, eventId });
        if (direct !== null) live.deliveryChanged({ workspaceId, ...direct });
      }
      // One job for the batch. No request waits for Redis: the reconciler finds events without a job.
      producer
        .enqueueFanOut(toFanOut.map(toRequest))
        .catch((error: unknown) => quiet.warn('events wait for the reconciler', errorFields(error)));
      return stored;
    },
    maxItems: 100,
    weight: { of: (event) => event.payloadSize, most: MAX_BATCH_BYTES },
    lane: (event) => event.workspaceId,
    maxInFlight: 2,
  });
}

function toRequest({ id, workspaceId, environmentId, eventType, applicationId, orderingKey }: NewEvent): FanOutRequest {
  const order = orderingKey === null ? {} : { isOrdered: true as const };
  return { eventId: id, workspaceId, environmentId, eventType: eventType ?? '', applicationId, ...order };
}
