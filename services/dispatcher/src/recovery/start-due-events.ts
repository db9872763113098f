import type { Db } from '@posthorn/db/client';
import { type DueEvent, takeDueEvents } from '@posthorn/ledger/scheduled-events';
import type { FanOutRequest } from '@posthorn/queue/jobs';
import type { Producer } from '@posthorn/queue/producer';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { Watch } from '../watch.ts';
import type { LowWaterMarks } from './low-water-mark.ts';

type DueEventsDeps = {
  db: Db;
  producer: Pick<Producer, 'enqueueFanOut'>;
  lifecycle: Pick<Lifecycle, 'onStop'>;
  /** For recurring errors. */
  quiet: Pick<Logger, 'warn'>;
  watch: Watch;
  /**
   * Set if rows are the queue: a scheduled event has an id from the time of its acceptance, which may lie before the
   * mark.
   */
  lowWaterMark: Pick<LowWaterMarks, 'lower'> | undefined;
};

const WAIT_AFTER_ERROR_MS = 1_000;
const AT_ONCE = 500;
/** The least pause, so that events that come due one after the other are taken together. */
const LEAST_PAUSE_MS = 100;

/**
 * Starts the rounds in which a scheduled event begins to wait for its fan-out, at its time by Postgres' clock. No job
 * waits in Redis until that time. If the event's job is lost, the reconciler enqueues the event as any other.
 */
export function startDueEvents({ db, producer, watch, lowWaterMark, lifecycle, quiet }: DueEventsDeps): void {
  let after: string | undefined;
  const rounds = watch.repeat('scheduledEvents', {
    async round() {
      const { events, next } = await takeDueEvents(db, { limit: AT_ONCE, after });
      after = next;
      lowWaterMark?.lower(events.map(({ eventId }) => eventId));
      await producer.enqueueFanOut(events.map(toRequest));
      return next === undefined ? LEAST_PAUSE_MS : 0;
    },
    waitAfterErrorMs: WAIT_AFTER_ERROR_MS,
    onError: (error) => quiet.warn('scheduled events could not be enqueued yet', errorFields(error)),
  });
  lifecycle.onStop('scheduled events', () => rounds.stop());
}

function toRequest({ isOrdered, ...event }: DueEvent): FanOutRequest {
  return { ...event, ...(isOrdered ? { isOrdered } : {}) };
}
