import type { Db } from '@posthorn/db/client';
import type { Consumer } from '@posthorn/queue/consumer';
import { fanOutJobs } from '@posthorn/queue/fan-out-jobs';
import type { DeliverJob, FanOutJob } from '@posthorn/queue/jobs';
import type { Producer } from '@posthorn/queue/producer';
import type { Clock } from '@posthorn/runtime/clock';
import { answersWithin } from '@posthorn/runtime/deadline';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { repeat } from '@posthorn/runtime/repeat';
import { LRUCache } from 'lru-cache';
import { createLowWaterMark } from './low-water-mark.ts';
import { type After, firstAfter, type OverdueRow, overdueDeliveries, overdueRetries } from './overdue-deliveries.ts';
import { takeOverdueEvents, takeOverdueEventsOfEach } from './overdue-events.ts';

export type WithoutRedisDeps = {
  db: Db;
  producer: Pick<Producer, 'ping'>;
  clock: Clock;
  fanOut: (job: FanOutJob) => Promise<void>;
  deliver: (job: DeliverJob) => Promise<void>;
  /** The most deliveries at once. */
  slotCount: number;
  /** For errors that repeat. */
  logger: Pick<Logger, 'warn'>;
};

/** Redis is away once it has not accepted a write for so long. A failover takes less. */
const AWAY_AFTER_MS = 3_000;
const ANSWERS_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 500;
/** The pause between two rounds while Redis is away, and after one that found more than it could take. */
const EVERY_MS = 250;
const MORE_MS = 25;
/** The events of a round, and of those behind a flood the first of each owner of workspaces. */
const EVENTS = 100;
const EVENTS_BEHIND = 500;
const EVENTS_OF_OWNER = 10;
const DELIVERIES = 500;
/** A delivery that failed by our own fault is left alone for so long: one with a limit, which Redis counts, fails so. */
const FAILED_FOR_MS = 3_000;
const MOST_FAILED = 50_000;

/**
 * Works while Redis is away: takes overdue events and deliveries from Postgres, as the reconciler finds them, and gives them
 * to the handlers of jobs. The rows are the truth and claims are exact, so it does not matter that other dispatchers do the
 * same, or that jobs of the same rows are in Redis. Endpoints with `rateLimit` or `maxConcurrency` wait, because Redis counts
 * for all dispatchers. When Redis is back, jobs take over.
 */
export function workWithoutRedis(deps: WithoutRedisDeps): Consumer {
  const { producer, clock, logger } = deps;
  const lowWaterMark = createLowWaterMark(deps);
  const takeDeliveries = createTakeDeliveries(deps);
  const takeEvents = createTakeEvents(deps);
  let answeredAtMs = clock.monotonicMs();
  const rounds = repeat({
    async round() {
      if (await answersWithin(producer.ping(), ANSWERS_WITHIN_MS)) answeredAtMs = clock.monotonicMs();
      if (clock.monotonicMs() - answeredAtMs < AWAY_AFTER_MS) return LOOK_EVERY_MS;
      const from = await lowWaterMark();
      const [areMoreEvents, areMoreDeliveries] = await Promise.all([
        takeEvents(from.beforeEventId),
        takeDeliveries.round(firstAfter(from)),
      ]);
      return areMoreEvents || areMoreDeliveries ? MORE_MS : EVERY_MS;
    },
    waitAfterErrorMs: LOOK_EVERY_MS,
    onError: (error) => logger.warn('work could not be taken from Postgres while Redis is away', errorFields(error)),
  });
  return {
    async drain() {
      await rounds.stop();
      await takeDeliveries.drain();
    },
    async close() {
      // Not awaited: a round may still wait for a fan-out.
      void rounds.stop();
    },
  };
}

/** Fans out some events, and returns whether there may be more. A poisonous one is isolated, as by the reconciler. */
function createTakeEvents({ db, fanOut }: WithoutRedisDeps): (beforeEventId: string) => Promise<boolean> {
  let after: string | undefined;
  return async (beforeEventId) => {
    const oldest = await takeOverdueEvents(db, { limit: EVENTS, after: beforeEventId });
    const page = { limit: EVENTS_BEHIND, ofOwner: EVENTS_OF_OWNER, after: after ?? beforeEventId };
    const behind = oldest.length < EVENTS ? undefined : await takeOverdueEventsOfEach(db, page);
    after = behind?.after;
    await Promise.all(fanOutJobs([...oldest, ...(behind?.events ?? [])]).map(fanOut));
    return behind !== undefined;
  };
}

/** Takes deliveries while there are places: retries of the workspaces in turn, and of all rows a page that moves on. */
function createTakeDeliveries({ db, deliver, slotCount, clock, logger }: WithoutRedisDeps) {
  const underWay = new Map<string, Promise<void>>();
  const failed = new LRUCache<string, number>({ max: MOST_FAILED });
  let after: After | undefined;
  let afterWorkspaceId: string | undefined;
  const hasFailed = (deliveryId: string) =>
    clock.monotonicMs() - (failed.get(deliveryId) ?? Number.NEGATIVE_INFINITY) < FAILED_FOR_MS;
  const begin = ({ deliveryId, eventId, endpointId, workspaceId, isolated, expired, recovered }: OverdueRow) => {
    if (underWay.has(deliveryId) || hasFailed(deliveryId)) return;
    const mode = isolated ? 'isolated' : expired ? 'expired_lease' : undefined;
    const job: DeliverJob = {
      ...{ deliveryId, eventId, endpointId, workspaceId },
      ...(mode === undefined ? {} : { mode }),
      ...(recovered ? { recovered } : {}),
    };
    const ended = deliver(job)
      .catch((error: unknown) => {
        failed.set(deliveryId, clock.monotonicMs());
        logger.warn('a delivery could not be attempted while Redis is away', errorFields(error));
      })
      .finally(() => underWay.delete(deliveryId));
    underWay.set(deliveryId, ended);
  };
  return {
    /** Returns whether there may be more. */
    async round(first: After): Promise<boolean> {
      if (underWay.size >= slotCount) return true;
      const retries = await overdueRetries(db, afterWorkspaceId);
      afterWorkspaceId = retries.nextWorkspaceId;
      for (const row of retries.rows) if (underWay.size < slotCount) begin(row);
      const page = await overdueDeliveries(db, { limit: DELIVERIES, after: after ?? first });
      for (const row of page) {
        if (underWay.size >= slotCount) return true;
        begin(row);
        after = row;
      }
      if (page.length < DELIVERIES) after = undefined;
      return page.length === DELIVERIES;
    },
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
  };
}
