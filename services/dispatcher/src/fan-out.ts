import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';
import type { DeliveryTicket } from '@posthorn/queue/deliver-job';
import type { FanOutJob } from '@posthorn/queue/fan-out-job';
import { type FanOutChunk, type Match, planFanOut } from './match-endpoints.ts';
import type { DispatcherMetrics } from './metrics.ts';

export type FanOutDeps = {
  db: Db;
  ring: (tickets: DeliveryTicket[]) => void;
  metrics: DispatcherMetrics;
};

/** Rows of one insert. */
const CHUNK_ROWS = 2_000;

/**
 * Makes the deliveries of the events that still want them. Deliveries and the end of "to fan out" commit together;
 * running it twice inserts nothing twice, because a delivery's id is derived from its event and endpoint.
 */
export function createFanOut(deps: FanOutDeps): (job: FanOutJob) => Promise<void> {
  return async ({ eventIds }) => {
    const waiting = await findWaiting(deps.db, eventIds);
    if (waiting.length === 0) return;
    const matches = await findMatches(deps.db, waiting);
    for (const chunk of planFanOut(waiting, matches, CHUNK_ROWS)) {
      const inserted = new Set(await retryConflicts(() => insertChunk(deps.db, chunk)));
      const fresh = chunk.deliveries.filter((delivery) => inserted.has(delivery.deliveryId));
      deps.metrics.deliveriesCreated.inc(fresh.length);
      deps.ring(fresh.map(({ deliveryId, eventId }) => ({ deliveryId, eventId, generation: 0, delayMs: 0 })));
    }
  };
}

async function findWaiting(db: Db, eventIds: string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ event_id: string }[]>`
    select event_id from pending_fan_out where event_id = any(${eventIds}::uuid[]) order by event_id`;
  return rows.map((row) => row.event_id);
}

/** Published, subscribed, same environment, active, and the named application's if one was named: as things stand now. */
async function findMatches(db: Db, eventIds: string[]): Promise<Match[]> {
  return db.$queryRaw<Match[]>`
    select e.id as "eventId", p.id as "endpointId", e.workspace_id as "workspaceId",
      e.environment_id as "environmentId", e.event_type as "eventType"
    from event e
    join event_type t on t.workspace_id = e.workspace_id and t.name = e.event_type
    join published_event_type v on v.event_type_id = t.id and v.environment_id = e.environment_id
    join subscription s on s.event_type_id = t.id
    join endpoint p on p.id = s.endpoint_id and p.environment_id = e.environment_id
      and p.is_active and p.deleted_at is null
    where e.id = any(${eventIds}::uuid[]) and (e.application_id is null or p.application_id = e.application_id)`;
}

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
