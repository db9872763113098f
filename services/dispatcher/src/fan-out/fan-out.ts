import { within } from '@posthorn/db/among';
import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';
import type { DeliveryTicket } from '@posthorn/queue/deliver-job';
import type { FanOutJob } from '@posthorn/queue/fan-out-job';
import { createBatcher } from '@posthorn/runtime/batch';
import type { DispatcherMetrics } from '../metrics.ts';
import {
  type ChunkLimits,
  type FanOutChunk,
  matchEndpoints,
  type NewDelivery,
  planFanOut,
  type Subscriber,
  type WaitingEvent,
} from './match-endpoints.ts';

export type FanOutDeps = {
  db: Db;
  ring: (tickets: DeliveryTicket[]) => void;
  metrics: DispatcherMetrics;
};

const CHUNKS: ChunkLimits = { mostRows: 2_000, wide: 100 };

/**
 * Makes the deliveries of the events that still want them. Deliveries and the end of "to fan out" commit together;
 * running it twice inserts nothing twice, because a delivery's id is derived from its event and endpoint. Jobs that come
 * while others are under way are made together.
 */
export function createFanOut(deps: FanOutDeps): (job: FanOutJob) => Promise<void> {
  return createBatcher<FanOutJob, void>({
    async run(jobs) {
      await fanOutEvents(deps, [...new Set(jobs.flatMap((job) => job.eventIds))]);
      return jobs.map(() => undefined);
    },
    maxItems: 8,
    maxInFlight: 2,
  });
}

async function fanOutEvents(deps: FanOutDeps, eventIds: string[]): Promise<void> {
  const { waiting, subscribers } = await findWaiting(deps.db, eventIds);
  if (waiting.length === 0) return;
  const matches = matchEndpoints(waiting, subscribers);
  const waitingIds = waiting.map((event) => event.eventId);
  for (const chunk of planFanOut(waitingIds, matches, CHUNKS)) {
    const inserted = new Set(await retryConflicts(() => insertChunk(deps.db, chunk)));
    const fresh = chunk.deliveries.filter((delivery) => inserted.has(delivery.deliveryId));
    deps.metrics.deliveriesCreated.inc(fresh.length);
    deps.ring(fresh.map(toTicket));
  }
}

function toTicket({ deliveryId, eventId, endpointId, workspaceId }: NewDelivery): DeliveryTicket {
  return { deliveryId, eventId, endpointId, workspaceId, generation: 0, delayMs: 0 };
}

/** What a batch's look finds: the events that still wait, and who subscribes to their types. */
type Found = { waiting: WaitingEvent[]; subscribers: Subscriber[] };

/**
 * Published, subscribed, same environment, active: as things stand now. Who subscribes is asked once for each type of
 * the batch, in the same statement: another costs as much as ten events. `offset 0` keeps the order from type to
 * endpoint: left to itself the planner tries every endpoint with every type.
 */
async function findWaiting(db: Db, eventIds: string[]): Promise<Found> {
  const rows = await db.$queryRaw<FoundRow[]>`
    with waiting as materialized (
      select w.event_id, e.workspace_id, e.environment_id, e.application_id, e.event_type
      from pending_fan_out w left join lateral (
        select * from event where id = w.event_id and ${within('id', eventIds)} offset 0) e on true
      where w.event_id = any(${eventIds}::uuid[])
    )
    select event_id as "eventId", workspace_id as "workspaceId", environment_id as "environmentId",
      event_type as "eventType", application_id as "applicationId", null::uuid as "endpointId"
    from waiting
    union all
    select null, y.workspace_id, y.environment_id, y.event_type, p.application_id, p.id
    from (select distinct workspace_id, environment_id, event_type from waiting) y
    cross join lateral (
      select t.id from event_type t join published_event_type v on v.event_type_id = t.id
      where t.workspace_id = y.workspace_id and t.name = y.event_type and v.environment_id = y.environment_id
      offset 0) t
    cross join lateral (select endpoint_id from subscription where event_type_id = t.id offset 0) s
    cross join lateral (
      select id, application_id from endpoint
      where id = s.endpoint_id and environment_id = y.environment_id and is_active and deleted_at is null
      offset 0) p`;
  const found: Found = { waiting: [], subscribers: [] };
  for (const row of rows) {
    if (row.endpointId === null) found.waiting.push(row);
    else found.subscribers.push(row);
  }
  return found;
}

type FoundRow = (WaitingEvent & { endpointId: null }) | Subscriber;

async function insertChunk(db: Db, { deliveries, doneEventIds }: FanOutChunk): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    with done as (delete from pending_fan_out where event_id = any(${doneEventIds}::uuid[]))
    insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, due_at)
    select d.*, now() from unnest(
      ${deliveries.map((delivery) => delivery.deliveryId)}::uuid[],
      ${deliveries.map((delivery) => delivery.eventId)}::uuid[],
      ${deliveries.map((delivery) => delivery.endpointId)}::uuid[],
      ${deliveries.map((delivery) => delivery.workspaceId)}::uuid[],
      ${deliveries.map((delivery) => delivery.environmentId)}::uuid[],
      ${deliveries.map((delivery) => delivery.eventType)}::text[]) as d
    on conflict do nothing
    returning id`;
  return rows.map((row) => row.id);
}
