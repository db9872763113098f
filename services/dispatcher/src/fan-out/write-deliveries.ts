import type { SealingKeys } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import { isMissingPartition, isUnavailable, isWriteConflict } from '@posthorn/db/violations';
import { createAndClaim, createPage, type NewDelivery } from '@posthorn/ledger/create';
import { noteShortPayloads } from '@posthorn/ledger/short-payload';
import type { DeliverRequest, FanOutRequest } from '@posthorn/queue/jobs';
import { pagesOfEndpoints, type Routes } from '@posthorn/routing/routes';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { FilterBudget } from './filter-budget.ts';
import { applyFilters } from './filters.ts';
import type { ImmediateAttempts, Reservation } from './immediate-attempts.ts';
import { type FanOutChunk, planFanOut, type Revisions, toDelivery, type WaitingEvent } from './plan.ts';

export type FanOutDeps = {
  db: Db;
  /** Decrypts the payloads that filters are matched with. */
  keys: SealingKeys;
  routes: Routes;
  /** The owner of a workspace. */
  ownerOf: (workspaceId: string) => string;
  immediate: Pick<ImmediateAttempts, 'reserve' | 'room' | 'awaitRoom' | 'take'>;
  /** Resolves once the jobs are in Redis or could not be enqueued. */
  enqueue: (deliveries: DeliverRequest[]) => Promise<void>;
  /** Enqueues events that did not fit into this batch's time. */
  enqueueFanOut: (events: FanOutRequest[]) => Promise<void>;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
  onCreated: (deliveries: readonly NewDelivery[]) => void;
  /** Tells waiting consumers of these endpoints that there is something to fetch. Never throws. */
  wakeConsumers: (endpointIds: Iterable<string>) => void;
  defaultTimeoutSeconds: number;
};

export type BatchDeps = FanOutDeps & { budget: FilterBudget };

/** A statement with this many rows takes about 60 ms. */
export const MAX_ROWS = 2_000;
/** The limit for events with ordering keys: each row may take a lock, and the number of Postgres' locks is limited. */
export const MAX_ORDERED_ROWS = 250;

/**
 * Inserts the chunk and returns the events that are fanned out. If Postgres refuses the chunk, its events are inserted
 * one by one, so that an event that cannot be inserted keeps waiting, and the others are fanned out.
 */
export async function writeChunk(deps: FanOutDeps, chunk: FanOutChunk, revisions: Revisions): Promise<Set<string>> {
  try {
    return await insertChunk(deps, chunk, revisions);
  } catch (error) {
    if (concernsAll(error)) throw error;
    const [first, ...others] = chunk.events;
    if (others.length === 0) {
      deps.logger.warn('an event could not be fanned out', { eventId: first?.eventId, ...errorFields(error) });
      return new Set();
    }
    const done = new Set<string>();
    for (const event of chunk.events) {
      for (const one of planFanOut([event], () => MAX_ROWS)) {
        for (const eventId of await writeChunk(deps, one, revisions)) done.add(eventId);
      }
    }
    return done;
  }
}

async function insertChunk(deps: FanOutDeps, chunk: FanOutChunk, revisions: Revisions): Promise<Set<string>> {
  const { events, deliveries, claimable = deliveries } = chunk;
  const reserved = await deps.immediate.reserve(claimable, { mayDelay: !isOrdered(events) });
  try {
    return await createRows(deps, { chunk, revisions, reserved });
  } finally {
    reserved.release();
  }
}

type Inserting = { chunk: FanOutChunk; revisions: Revisions; reserved: Reservation };

async function createRows(deps: FanOutDeps, { chunk, revisions, reserved }: Inserting): Promise<Set<string>> {
  const { events, deliveries } = chunk;
  const ordered = isOrdered(events);
  let requests: DeliverRequest[] = [];
  try {
    const created = await createAndClaim(deps.db, {
      deliveries: deliveries.map((delivery) => ({
        ...delivery,
        isClaimed: reserved.has(delivery.deliveryId),
        delaySeconds: reserved.delaySeconds(delivery.deliveryId),
        entersLine: reserved.entersLine(delivery.deliveryId),
      })),
      events: events.map(({ eventId, group: { workspaceId, environmentId } }) => ({
        eventId,
        workspaceId,
        environmentId,
      })),
      routingRevisions: revisions,
      defaultTimeoutSeconds: deps.defaultTimeoutSeconds,
      isOrdered: ordered,
    });
    reserved.begin(created.claimed);
    const noJob = new Set([...created.claimed.map((claim) => claim.deliveryId), ...created.waitingIds]);
    const fresh = deliveries.filter(({ deliveryId }) => created.deliveryIds.has(deliveryId));
    deps.onCreated(fresh);
    deps.wakeConsumers(created.pulledEndpointIds);
    const toAttempt = fresh.filter(({ deliveryId }) => !noJob.has(deliveryId) && !reserved.entersLine(deliveryId));
    requests = toAttempt.map((delivery) => toRequest(delivery, reserved.delaySeconds(delivery.deliveryId)));
    return created.eventIds;
  } finally {
    // A chunk of ordered events does not wait for slots. Instead, each of its heads waits for a slot, without a job.
    void (ordered ? deps.immediate.take(requests) : deps.enqueue(requests));
  }
}

/** Events with and without ordering keys are never in one chunk. */
function isOrdered(events: readonly WaitingEvent[]): boolean {
  return events.some(({ group }) => group.isOrdered === true);
}

/** Whether the error would also make every other event fail. A conflict with other work concerns only some rows. */
function concernsAll(error: unknown): boolean {
  return isUnavailable(error) && !isMissingPartition(error) && !isWriteConflict(error);
}

/**
 * Fans out an event in pages, at any routing revision: a wide event, or one whose routing changes too often. If it
 * cannot be inserted, or exceeds the filter budget, it keeps waiting.
 */
export async function fanOutWide(deps: BatchDeps, event: WaitingEvent): Promise<void> {
  try {
    // Without this check, a repeated job would deliver the event to endpoints subscribed after its fan-out.
    if ((await deps.db.pendingFanOut.count({ where: { eventId: event.eventId } })) === 0) return;
    // No revision is compared here, so the route may be of any age.
    await noteShortPayloads(deps.db, [{ eventId: event.eventId, ...event.group }]);
    await makePages(deps, event);
  } catch (error) {
    if (concernsAll(error)) throw error;
    deps.logger.warn('an event could not be fanned out', { eventId: event.eventId, ...errorFields(error) });
  }
}

/** Reads an event's endpoints and creates its deliveries, in pages. The event's wait ends with the last page. */
async function makePages(deps: BatchDeps, event: WaitingEvent): Promise<void> {
  const { db, enqueue, onCreated, wakeConsumers } = deps;
  const pageSize = event.group.isOrdered ? MAX_ORDERED_ROWS : MAX_ROWS;
  let made = 0;
  // An event that is cancelled in the meantime gets no further deliveries.
  for await (const subscribers of pagesOfEndpoints(db, event.group, pageSize)) {
    const [matched] = await applyFilters(deps, [{ ...event, ...subscribers }], deps.budget);
    if (matched === undefined) return;
    const page = matched.endpointIds.map((id) => toDelivery(event, id)).sort(byKey);
    const { isLast } = subscribers;
    made += page.length;
    // The payload may match no subscriber's filter.
    const isUnmatched = made === 0 && isLast;
    const { workspaceId } = event.group;
    const created = await createPage(db, {
      deliveries: page,
      event: { eventId: event.eventId, workspaceId },
      isLast,
      isUnmatched,
    });
    const isDue = new Map(created.map((row) => [row.id, row.due]));
    onCreated(page.filter(({ deliveryId }) => isDue.has(deliveryId)));
    const pulled = new Set(created.flatMap((row) => (row.is_pulled ? [row.id] : [])));
    wakeConsumers(page.flatMap(({ deliveryId, endpointId }) => (pulled.has(deliveryId) ? [endpointId] : [])));
    // Await this, so that the jobs in memory stay limited while Redis is slower than Postgres.
    const due = page.filter(({ deliveryId }) => isDue.get(deliveryId) === true);
    await enqueue(due.map((delivery) => toRequest(delivery, 0)));
  }
}

function byKey(a: NewDelivery, b: NewDelivery): number {
  return a.deliveryId < b.deliveryId ? -1 : 1;
}

function toRequest(delivery: NewDelivery, delaySeconds: number): DeliverRequest {
  const { deliveryId, eventId, endpointId, workspaceId } = delivery;
  return { deliveryId, eventId, endpointId, workspaceId, generation: 0, delayMs: Math.ceil(1_000 * delaySeconds) };
}
