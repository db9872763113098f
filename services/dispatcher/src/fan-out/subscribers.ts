import { within } from '@posthorn/db/among';
import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { groupOf, type WaitingEvent } from './match-endpoints.ts';

/** The events that still wait, and the endpoints of each group of them. */
export type Found = {
  waiting: WaitingEvent[];
  endpointsByGroup: Map<string, string[]>;
  /** Groups with more endpoints than were read. */
  wideGroups: Set<string>;
};

/** A group of more endpoints is read in pages, one event at a time: what is held in memory stays bounded. */
const MAX_ENDPOINTS_AT_ONCE = 250;

/**
 * Reads the waiting events among `eventIds`, and the endpoints that match as things stand now: published, subscribed, in
 * the same environment, active, and of the event's application when it names one. Endpoints are read once for each
 * group of events, in the same statement: a statement of its own costs as much as ten events.
 */
export async function findWaiting(db: Db, eventIds: string[]): Promise<Found> {
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
    select null, null, y.environment_id, y.event_type, y.application_id, p.id
    from (select distinct workspace_id, environment_id, event_type, application_id from waiting) y
    cross join lateral (${publishedType('y')}) t
    cross join lateral (
      (select s.id from (${subscribers(MAX_ENDPOINTS_AT_ONCE + 1)}) s where y.application_id is null)
      union all
      (select s.id from (${SUBSCRIBERS_OF_APPLICATION}) s where y.application_id is not null)
    ) p`;
  const found: Found = { waiting: [], endpointsByGroup: new Map(), wideGroups: new Set() };
  for (const row of rows) {
    if (row.endpointId === null) found.waiting.push(row);
    else addEndpoint(found, groupOf(row), row);
  }
  return found;
}

type FoundRow = (WaitingEvent & { endpointId: null }) | SubscriberRow;
type SubscriberRow = Pick<WaitingEvent, 'environmentId' | 'eventType' | 'applicationId'> & { endpointId: string };

function addEndpoint({ endpointsByGroup, wideGroups }: Found, group: string, row: SubscriberRow): void {
  const endpoints = endpointsByGroup.get(group);
  if (endpoints === undefined) endpointsByGroup.set(group, [row.endpointId]);
  else if (row.applicationId === null && endpoints.length === MAX_ENDPOINTS_AT_ONCE) wideGroups.add(group);
  else endpoints.push(row.endpointId);
}

/** The endpoints of an event for all applications, in pages of at most `pageSize`, by their ids. */
export async function* pagesOfEndpoints(db: Db, event: WaitingEvent, pageSize: number): AsyncGenerator<string[]> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await db.$queryRaw<{ id: string }[]>`
      select p.id from (select ${event.workspaceId}::uuid as workspace_id, ${event.environmentId}::uuid as environment_id,
        ${event.eventType}::text as event_type) y
      cross join lateral (${publishedType('y')}) t
      cross join lateral (${subscribers(pageSize, Prisma.sql`and s.endpoint_id > ${after}::uuid`)}) p`;
    const page = rows.map((row) => row.id);
    yield page;
    if (page.length < pageSize) return;
    after = page.at(-1) ?? after;
  }
}

// `offset 0` keeps the order from type to endpoint: left to itself the planner tries every endpoint with every type.

function publishedType(group: 'y'): Prisma.Sql {
  const y = Prisma.raw(group);
  return Prisma.sql`select t.id from event_type t join published_event_type v on v.event_type_id = t.id
    where t.workspace_id = ${y}.workspace_id and t.name = ${y}.event_type and v.environment_id = ${y}.environment_id
    offset 0`;
}

function subscribers(limit: number, condition: Prisma.Sql = Prisma.empty): Prisma.Sql {
  return Prisma.sql`select e.id from subscription s
    join lateral (select id from endpoint where id = s.endpoint_id and environment_id = y.environment_id and is_active
      and deleted_at is null offset 0) e on true
    where s.event_type_id = t.id ${condition} order by s.endpoint_id limit ${limit}::int`;
}

/** From the application, which has at most 500 endpoints: a type may have as many subscribers as the workspace customers. */
const SUBSCRIBERS_OF_APPLICATION = Prisma.sql`select e.id from endpoint e
  where e.application_id = y.application_id and e.environment_id = y.environment_id and e.is_active
    and e.deleted_at is null
    and exists (select from subscription s where s.endpoint_id = e.id and s.event_type_id = t.id)`;
