import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { isUnavailable } from '@posthorn/db/violations';
import { createDeliveries } from '@posthorn/ledger/create';
import type { DeliverRequest, FanOutJob, FanOutRequest } from '@posthorn/queue/jobs';
import { createBatcher } from '@posthorn/runtime/batch';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { createSerial } from '@posthorn/runtime/serial';
import type { DispatcherMetrics } from '../metrics.ts';
import {
  type FanOutChunk,
  groupOf,
  type NewDelivery,
  planFanOut,
  splitByEvent,
  type WaitingEvent,
} from './match-endpoints.ts';
import { findWaiting, pagesOfEndpoints } from './subscribers.ts';

export type FanOutDeps = {
  db: Db;
  /** Resolves once the jobs are in Redis, or could not be. */
  enqueue: (deliveries: DeliverRequest[]) => Promise<void>;
  /** For events that are left for another turn. */
  enqueueFanOut: (events: FanOutRequest[]) => Promise<void>;
  clock: Pick<Clock, 'monotonicMs'>;
  logger: Pick<Logger, 'warn'>;
  metrics: Pick<DispatcherMetrics, 'deliveriesCreated'>;
};

/** A statement of so many rows takes about 60 ms. */
const MAX_ROWS = 2_000;
/** With at most 250 endpoints for each, so many events are 100,000 deliveries: they are made as they are inserted. */
const MAX_EVENTS = 400;
/** After this time, events that are left go to the back of the queue: other workspaces' events have waited as long. */
const TURN_MS = 1_000;
/** The reconciler leaves these events alone while their new job waits. */
const NEXT_TURN_SECONDS = 10;
/** Isolated events that wait for their turn in this process; the reconciler enqueues the others again. */
const MAX_WAITING_ISOLATED = 4;

/**
 * Makes the deliveries of events, and enqueues them. The last delivery of an event and the end of its waiting commit
 * together; running it twice inserts nothing twice, because a delivery's id is derived from its event and endpoint. Jobs
 * that come while others are under way are made together.
 */
export function createFanOut(deps: FanOutDeps): (job: FanOutJob) => Promise<void> {
  const isolated = createSerial(MAX_WAITING_ISOLATED);
  const together = createBatcher<FanOutJob, void>({
    async run(jobs) {
      await fanOutEvents(deps, [...new Set(jobs.flatMap((job) => job.eventIds))]);
      return jobs.map(() => undefined);
    },
    maxItems: 8,
    weight: { of: (job) => job.eventIds.length, most: MAX_EVENTS },
    maxInFlight: 2,
  });
  return (job) => (job.mode === 'isolated' ? isolated(() => fanOutEvents(deps, job.eventIds)) : together(job));
}

async function fanOutEvents(deps: FanOutDeps, eventIds: string[]): Promise<void> {
  const startedAtMs = deps.clock.monotonicMs();
  const isOver = () => deps.clock.monotonicMs() - startedAtMs > TURN_MS;
  const { waiting, endpointsByGroup, wideGroups } = await findWaiting(deps.db, eventIds);
  const isWide = (event: WaitingEvent) => wideGroups.has(groupOf(event));
  const writer = createWriter(deps);
  const narrow = waiting.filter((event) => !isWide(event));
  for (const chunk of planFanOut(narrow, (event) => endpointsByGroup.get(groupOf(event)) ?? [], MAX_ROWS)) {
    await writer.write(chunk);
  }
  const wide = waiting.filter(isWide);
  // At least one, or an event would never get its turn.
  for (let event = wide.shift(); event !== undefined; event = isOver() ? undefined : wide.shift()) {
    await fanOutWide(deps, writer, event);
  }
  if (wide.length > 0) await leaveForAnotherTurn(deps, wide);
}

async function fanOutWide(deps: FanOutDeps, writer: Writer, event: WaitingEvent): Promise<void> {
  for await (const endpointIds of pagesOfEndpoints(deps.db, event, MAX_ROWS)) {
    const isLast = endpointIds.length < MAX_ROWS;
    for (const { deliveries } of planFanOut([event], () => endpointIds, MAX_ROWS)) {
      await writer.write({ deliveries, doneEventIds: isLast ? [event.eventId] : [] });
    }
  }
}

async function leaveForAnotherTurn({ db, enqueueFanOut }: FanOutDeps, events: WaitingEvent[]): Promise<void> {
  const eventIds = events.map((event) => event.eventId).sort();
  await db.$executeRaw`
    update pending_fan_out set due_at = now() + make_interval(secs => ${NEXT_TURN_SECONDS}::int)
    where event_id in (select event_id from pending_fan_out where event_id = any(${eventIds}::uuid[]) order by event_id
      for update)`;
  await enqueueFanOut(
    events.map(({ eventId, eventType, workspaceId }) => ({ eventId, eventType: eventType ?? '', workspaceId })),
  );
}

type Writer = { write(chunk: FanOutChunk): Promise<void> };

/**
 * Inserts chunks and enqueues their deliveries while the next chunk is made. Where Postgres refuses a chunk, its events
 * are inserted one by one, so that an event that cannot be inserted takes no other along: that one goes on waiting.
 */
function createWriter(deps: FanOutDeps): Writer {
  const failed = new Set<string>();
  let enqueued: Promise<void> = Promise.resolve();
  const insert = async (chunk: FanOutChunk) => {
    const inserted = new Set(await retryConflicts(() => insertChunk(deps.db, chunk)));
    const fresh = chunk.deliveries.filter((delivery) => inserted.has(delivery.deliveryId));
    deps.metrics.deliveriesCreated.inc(fresh.length);
    await enqueued;
    enqueued = deps.enqueue(fresh.map(toRequest));
  };
  return {
    async write(chunk) {
      const rest = failed.size === 0 ? chunk : without(chunk, failed);
      try {
        await insert(rest);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        for (const part of splitByEvent(rest)) {
          await insert(part).catch((fault: unknown) => {
            if (isUnavailable(fault)) throw fault;
            const eventId = part.doneEventIds[0] ?? part.deliveries[0]?.eventId ?? '';
            failed.add(eventId);
            deps.logger.warn('an event could not be fanned out', { eventId, ...errorFields(fault) });
          });
        }
      }
    },
  };
}

function without({ deliveries, doneEventIds }: FanOutChunk, eventIds: ReadonlySet<string>): FanOutChunk {
  return {
    deliveries: deliveries.filter((delivery) => !eventIds.has(delivery.eventId)),
    doneEventIds: doneEventIds.filter((eventId) => !eventIds.has(eventId)),
  };
}

function toRequest({ deliveryId, eventId, endpointId, workspaceId }: NewDelivery): DeliverRequest {
  return { deliveryId, eventId, endpointId, workspaceId, generation: 0, delayMs: 0 };
}

async function insertChunk(db: Db, { deliveries, doneEventIds }: FanOutChunk): Promise<string[]> {
  const rows = Prisma.sql`unnest(
    ${deliveries.map((delivery) => delivery.deliveryId)}::uuid[],
    ${deliveries.map((delivery) => delivery.eventId)}::uuid[],
    ${deliveries.map((delivery) => delivery.endpointId)}::uuid[],
    ${deliveries.map((delivery) => delivery.workspaceId)}::uuid[],
    ${deliveries.map((delivery) => delivery.environmentId)}::uuid[],
    ${deliveries.map((delivery) => delivery.eventType)}::text[]
  ) as d(id, event_id, endpoint_id, workspace_id, environment_id, event_type)`;
  const inserted = await db.$queryRaw<{ id: string }[]>`
    with done as (delete from pending_fan_out where event_id = any(${doneEventIds}::uuid[]))
    ${createDeliveries(rows)}`;
  return inserted.map((row) => row.id);
}
