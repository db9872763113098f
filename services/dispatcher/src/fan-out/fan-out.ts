import type { SealingKeys } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { isMissingPartition, isUnavailable } from '@posthorn/db/violations';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import { createAndClaim, createDeliveries, keepUnmatched, type NewDelivery, rowsOf } from '@posthorn/ledger/create';
import type { DeliverRequest, EventGroup, FanOutJob, FanOutRequest } from '@posthorn/queue/jobs';
import { createBatcher } from '@posthorn/runtime/batch';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { createSerial } from '@posthorn/runtime/serial';
import { applyFilters } from './filters.ts';
import type { ImmediateAttempts } from './immediate-attempts.ts';
import { type FanOutChunk, type MatchedEvent, planFanOut, toDelivery } from './plan.ts';
import { pagesOfEndpoints, type Route, type Routes } from './routes.ts';

export type FanOutDeps = {
  db: Db;
  /** Open the payloads that filters are matched on. */
  keys: SealingKeys;
  routes: Routes;
  immediate: Pick<ImmediateAttempts, 'reserve' | 'room' | 'awaitRoom'>;
  /** Resolves once the jobs are in Redis or have failed to be enqueued. */
  enqueue: (deliveries: DeliverRequest[]) => Promise<void>;
  /** Enqueues events that did not fit into the time of this batch. */
  enqueueFanOut: (events: FanOutRequest[]) => Promise<void>;
  clock: Pick<Clock, 'monotonicMs'>;
  logger: Pick<Logger, 'warn'>;
  onCreated: (deliveries: readonly NewDelivery[]) => void;
  defaultTimeoutSeconds: number;
};

/** A statement with this many rows takes about 60 ms. */
const MAX_ROWS = 2_000;
/** A batch of this size takes a few statements, so that other workspaces' events behind it do not wait long. */
const MAX_EVENTS = 100;
/** A batch waits this long in total for free slots; then the rest of its deliveries is enqueued. */
const AWAIT_ROOM_MS = 250;
/** After this time, the remaining events go to the back of the queue: other workspaces' events have waited as long. */
const BATCH_MS = 1_000;
/** The reconciler does not enqueue these events while their new job waits. */
const REQUEUED_SECONDS = 10;
/** Isolated events that may wait in this process; the reconciler enqueues the others again. */
const MAX_WAITING_ISOLATED = 4;
/** Events are matched again each time the routing of their environment changes during the insert. */
const MAX_MATCHES = 3;

/**
 * Makes the deliveries of events, attempts some of them immediately and enqueues the others. The deliveries of an event
 * and the end of its waiting commit together, and a delivery's id is derived from its event and endpoint: a repeated
 * fan-out makes nothing twice. Jobs that arrive while others are under way are processed together.
 */
export function createFanOut(deps: FanOutDeps): (job: FanOutJob) => Promise<void> {
  const isolated = createSerial(MAX_WAITING_ISOLATED);
  const together = createBatcher<FanOutJob, void>({
    async run(jobs) {
      await fanOut(deps, jobs);
      return jobs.map(() => undefined);
    },
    maxItems: 8,
    weight: { of: ({ groups }) => groups.reduce((sum, { eventIds }) => sum + eventIds.length, 0), most: MAX_EVENTS },
    maxInFlight: 2,
  });
  return (job) => (job.mode === 'isolated' ? isolated(() => fanOut(deps, [job])) : together(job));
}

type WaitingEvent = Pick<MatchedEvent, 'eventId' | 'group'>;

async function fanOut(deps: FanOutDeps, jobs: readonly FanOutJob[]): Promise<void> {
  const startedAtMs = deps.clock.monotonicMs();
  const isOver = () => deps.clock.monotonicMs() - startedAtMs > BATCH_MS;
  const { narrow, wide, versions } = await matchEvents(deps, eventsOf(jobs));
  await fanOutNarrow(deps, narrow, versions);
  // At least one, or an event might never be fanned out.
  for (let event = wide.shift(); event !== undefined; event = isOver() ? undefined : wide.shift()) {
    await fanOutWide(deps, event);
  }
  if (wide.length > 0) await requeue(deps, wide);
}

type Versions = ReadonlyMap<string, number>;

/** Events that were not fanned out are matched again if the routing of their environment has changed. */
async function fanOutNarrow(deps: FanOutDeps, events: MatchedEvent[], versions: Versions): Promise<void> {
  let left = { events, versions };
  for (let match = 1; match <= MAX_MATCHES && left.events.length > 0; match += 1) {
    const notDone: MatchedEvent[] = [];
    for await (const chunk of chunksThatFit(deps, left.events)) {
      const done = await writeChunk(deps, chunk, left.versions);
      notDone.push(...chunk.events.filter((event) => !done.has(event.eventId)));
    }
    if (notDone.length === 0) return;
    deps.routes.forget(notDone.map((event) => event.group));
    const again = await matchEvents(deps, notDone);
    for (const event of again.wide) await fanOutWide(deps, event);
    // Under an unchanged version, an event that was not fanned out no longer waits: another process was first.
    const isNew = ({ group }: MatchedEvent) =>
      again.versions.get(group.environmentId) !== left.versions.get(group.environmentId);
    left = { events: again.narrow.filter(isNew), versions: again.versions };
  }
}

/**
 * While the batch may wait for slots, a chunk has as many deliveries as can be attempted immediately; then chunks are
 * larger.
 */
async function* chunksThatFit({ immediate, clock }: FanOutDeps, events: MatchedEvent[]): AsyncGenerator<FanOutChunk> {
  let leftMs = AWAIT_ROOM_MS;
  // Without room after the wait, as at shutdown, deliveries are enqueued and need no small chunks.
  const chunks = planFanOut(events, () => (leftMs > 0 && immediate.room()) || MAX_ROWS);
  for (;;) {
    const startedAtMs = clock.monotonicMs();
    if (leftMs > 0) await immediate.awaitRoom(leftMs);
    leftMs -= clock.monotonicMs() - startedAtMs;
    const chunk = chunks.next();
    if (chunk.done) return;
    yield chunk.value;
  }
}

function eventsOf(jobs: readonly FanOutJob[]): WaitingEvent[] {
  const events = new Map<string, WaitingEvent>();
  for (const { groups } of jobs) {
    for (const { eventIds, ...group } of groups) {
      for (const eventId of eventIds) events.set(eventId, { eventId, group });
    }
  }
  return [...events.values()];
}

async function matchEvents(deps: FanOutDeps, events: readonly WaitingEvent[]) {
  const groups = [...new Set(events.map((event) => event.group))];
  const found = await deps.routes.of(groups);
  const routeOf = new Map(groups.map((group, index) => [group, found[index]]));
  const narrow: (MatchedEvent & Pick<Route, 'filters'>)[] = [];
  const wide: WaitingEvent[] = [];
  const versions = new Map<string, number>();
  for (const { eventId, group } of events) {
    const route = routeOf.get(group);
    if (route === undefined || route.isWide) {
      wide.push({ eventId, group });
      continue;
    }
    narrow.push({ eventId, group, endpointIds: route.endpointIds, filters: route.filters });
    // Of two routes with different versions the older one is out of date, so the insert refuses both.
    const known = versions.get(group.environmentId) ?? route.routingVersion;
    versions.set(group.environmentId, Math.min(known, route.routingVersion));
  }
  return { narrow: await applyFilters(deps, narrow), wide, versions };
}

/**
 * Inserts the chunk and returns the events that are fanned out. If Postgres refuses the chunk, its events are inserted
 * one by one, so that an event that cannot be inserted does not fail the others; that event keeps waiting.
 */
async function writeChunk(deps: FanOutDeps, chunk: FanOutChunk, versions: Versions): Promise<Set<string>> {
  try {
    return await insertChunk(deps, chunk, versions);
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
        for (const eventId of await writeChunk(deps, one, versions)) done.add(eventId);
      }
    }
    return done;
  }
}

async function insertChunk(deps: FanOutDeps, chunk: FanOutChunk, versions: Versions): Promise<Set<string>> {
  const { events, deliveries } = chunk;
  const reserved = await deps.immediate.reserve(deliveries);
  let claimed: readonly ClaimedDelivery[] = [];
  try {
    const created = await createAndClaim(deps.db, {
      deliveries: deliveries.map((delivery) => ({ ...delivery, isClaimed: reserved.has(delivery.deliveryId) })),
      events: events.map(({ eventId, group: { workspaceId, environmentId } }) => ({
        eventId,
        workspaceId,
        environmentId,
      })),
      routingVersions: versions,
      defaultTimeoutSeconds: deps.defaultTimeoutSeconds,
    });
    claimed = created.claimed;
    const attempted = new Set(claimed.map((claim) => claim.deliveryId));
    const fresh = deliveries.filter(({ deliveryId }) => created.deliveryIds.has(deliveryId));
    deps.onCreated(fresh);
    void deps.enqueue(fresh.filter(({ deliveryId }) => !attempted.has(deliveryId)).map(toRequest));
    return created.eventIds;
  } finally {
    reserved.begin(claimed);
  }
}

/** Whether the error would also fail every other event. */
function concernsAll(error: unknown): boolean {
  return isUnavailable(error) && !isMissingPartition(error);
}

/** An event that cannot be inserted keeps waiting, and does not fail the others. */
async function fanOutWide(deps: FanOutDeps, event: WaitingEvent): Promise<void> {
  try {
    // Without this check, a repeated job would deliver the event to endpoints subscribed after its fan-out.
    if ((await deps.db.pendingFanOut.count({ where: { eventId: event.eventId } })) === 0) return;
    await makePages(deps, event);
  } catch (error) {
    if (concernsAll(error)) throw error;
    deps.logger.warn('an event could not be fanned out', { eventId: event.eventId, ...errorFields(error) });
  }
}

/** Reads the endpoints of an event and makes its deliveries page by page; its waiting ends with the last page. */
async function makePages(deps: FanOutDeps, event: WaitingEvent): Promise<void> {
  const { db, enqueue, onCreated } = deps;
  let made = 0;
  // An event that is cancelled meanwhile gets no further deliveries.
  for await (const subscribers of pagesOfEndpoints(db, event.group, MAX_ROWS)) {
    const matched = await applyFilters(deps, [{ eventId: event.eventId, ...subscribers }]);
    const page = matched.flatMap((one) => one.endpointIds.map((id) => toDelivery(event, id))).sort(byKey);
    const isLast = subscribers.endpointIds.length < MAX_ROWS;
    made += page.length;
    // Every subscriber may have a filter that the payload does not match.
    const unmatched = made === 0 && isLast ? [{ eventId: event.eventId, ...event.group }] : [];
    const created = await retryConflicts(
      () => db.$queryRaw<{ id: string }[]>`
        with waiting as (${isLast ? endOfWaiting(event.eventId) : stillWaiting(event.eventId)}),
          unmatched as (${keepUnmatched(unmatched)})
        ${createDeliveries(Prisma.sql`${rowsOf(page)} where exists (select from waiting)`)}`,
    );
    const ids = new Set(created.map((row) => row.id));
    const fresh = page.filter((delivery) => ids.has(delivery.deliveryId));
    onCreated(fresh);
    // Awaited, so that jobs in memory stay bounded while Redis is slower than Postgres.
    await enqueue(fresh.map(toRequest));
  }
}

/** Locked, so that a cancel waits for the deliveries that are being made. */
function stillWaiting(eventId: string): Prisma.Sql {
  return Prisma.sql`select event_id from pending_fan_out where event_id = ${eventId}::uuid for update`;
}

function endOfWaiting(eventId: string): Prisma.Sql {
  return Prisma.sql`delete from pending_fan_out where event_id = ${eventId}::uuid returning event_id`;
}

async function requeue({ db, enqueueFanOut }: FanOutDeps, events: readonly WaitingEvent[]): Promise<void> {
  const eventIds = events.map((event) => event.eventId).sort();
  await db.$executeRaw`
    update pending_fan_out set due_at = now() + make_interval(secs => ${REQUEUED_SECONDS}::int)
    where event_id in (select event_id from pending_fan_out where event_id = any(${eventIds}::uuid[]) order by event_id
      for update)`;
  await enqueueFanOut(events.map(({ eventId, group }): FanOutRequest => ({ eventId, ...groupOnly(group) })));
}

function groupOnly({ workspaceId, environmentId, eventType, applicationId }: EventGroup): EventGroup {
  return { workspaceId, environmentId, eventType, applicationId };
}

function byKey(a: NewDelivery, b: NewDelivery): number {
  return a.deliveryId < b.deliveryId ? -1 : 1;
}

function toRequest({ deliveryId, eventId, endpointId, workspaceId }: NewDelivery): DeliverRequest {
  return { deliveryId, eventId, endpointId, workspaceId, generation: 0, delayMs: 0 };
}
