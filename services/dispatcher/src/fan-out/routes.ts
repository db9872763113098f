import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import type { EventGroup } from '@posthorn/queue/jobs';
import { LRUCache } from 'lru-cache';

/** The endpoints that receive the events of a group. */
export type Route = {
  /** The routing version of the environment when they were read. */
  routingVersion: number;
  endpointIds: readonly string[];
  /** The group has more endpoints than a route holds: they are read in pages, for one event at a time. */
  isWide: boolean;
};

export type Routes = {
  /** The route of each group, in order. A cached route may be out of date: the insert compares its version. */
  of(groups: readonly EventGroup[]): Promise<Route[]>;
  /** Forgets the routes of groups whose version has changed. */
  forget(groups: readonly EventGroup[]): void;
};

/** With more endpoints, the insert costs more than the look-up. */
const MAX_ENDPOINTS = 250;
/** An application has at most 500 endpoints. */
const MAX_OF_APPLICATION = 500;
/** Endpoint ids in all routes: about 20 MB. */
const MAX_CACHED_ENDPOINTS = 200_000;

/**
 * Reads which endpoints match: published, subscribed, in the same environment, active, and of the event's application
 * when it names one. Routes are kept without a time limit, because each change of a subscription, a publication or an
 * endpoint's activity raises the routing version of its environment (docs/adr/0008).
 */
export function createRoutes(db: Db): Routes {
  const cache = new LRUCache<string, Route>({
    maxSize: MAX_CACHED_ENDPOINTS,
    sizeCalculation: (route) => route.endpointIds.length + 1,
  });
  return {
    async of(groups) {
      const missing = groups.filter((group) => !cache.has(groupKey(group)));
      const loaded = new Map<string, Route>();
      if (missing.length > 0) {
        for (const [index, route] of (await loadRoutes(db, missing)).entries()) {
          const group = missing[index];
          if (group === undefined) continue;
          loaded.set(groupKey(group), route);
          cache.set(groupKey(group), route);
        }
      }
      return groups.map((group) => loaded.get(groupKey(group)) ?? cache.get(groupKey(group)) ?? NO_ROUTE);
    },
    forget(groups) {
      for (const group of groups) cache.delete(groupKey(group));
    },
  };
}

const NO_ROUTE: Route = { routingVersion: -1, endpointIds: [], isWide: false };

/** Events of one group have equal keys. */
function groupKey({ environmentId, eventType, applicationId }: EventGroup): string {
  return `${environmentId} ${eventType} ${applicationId ?? ''}`;
}

async function loadRoutes(db: Db, groups: readonly EventGroup[]): Promise<Route[]> {
  // Prisma infers the type of a list from its first value, so a list must not contain null.
  const applicationIds = groups.map((group) => group.applicationId ?? NO_ID);
  const rows = await db.$queryRaw<{ n: number; version: number; endpointIds: string[] }[]>`
    select g.n::int, coalesce(v.routing_version, 0) as version, array(
      select s.id from (${publishedType()}) t cross join lateral (${subscribers(MAX_ENDPOINTS + 1)}) s
      where g.application_id = ${NO_ID}::uuid
      union all
      select s.id from (${publishedType()}) t cross join lateral (${subscribersOfApplication()}) s
      where g.application_id <> ${NO_ID}::uuid) as "endpointIds"
    from unnest(${groups.map((group) => group.workspaceId)}::uuid[], ${groups.map((group) => group.environmentId)}::uuid[],
      ${groups.map((group) => group.eventType)}::text[], ${applicationIds}::uuid[])
      with ordinality as g(workspace_id, environment_id, event_type, application_id, n)
    left join environment v on v.id = g.environment_id`;
  const byIndex = new Map(rows.map((row) => [row.n - 1, row]));
  return groups.map(({ applicationId }, index) => {
    const row = byIndex.get(index);
    if (row === undefined) return NO_ROUTE;
    const isWide = applicationId === null && row.endpointIds.length > MAX_ENDPOINTS;
    return { routingVersion: row.version, endpointIds: isWide ? [] : row.endpointIds, isWide };
  });
}

/** The endpoints of a wide group, in pages of at most `pageSize`, by their ids. */
export async function* pagesOfEndpoints(db: Db, group: EventGroup, pageSize: number): AsyncGenerator<string[]> {
  let after = NO_ID;
  for (;;) {
    const rows = await db.$queryRaw<{ id: string }[]>`
      select s.id from (select ${group.workspaceId}::uuid as workspace_id, ${group.environmentId}::uuid as environment_id,
        ${group.eventType}::text as event_type) g
      cross join lateral (${publishedType()}) t
      cross join lateral (${subscribers(pageSize, Prisma.sql`and s.endpoint_id > ${after}::uuid`)}) s`;
    const page = rows.map((row) => row.id);
    yield page;
    if (page.length < pageSize) return;
    after = page.at(-1) ?? after;
  }
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

// `offset 0` keeps the order from type to endpoint: otherwise the planner joins every endpoint with every type.

function publishedType(): Prisma.Sql {
  return Prisma.sql`select t.id from event_type t join published_event_type v on v.event_type_id = t.id
    where t.workspace_id = g.workspace_id and t.name = g.event_type and v.environment_id = g.environment_id offset 0`;
}

function subscribers(limit: number, condition: Prisma.Sql = Prisma.empty): Prisma.Sql {
  return Prisma.sql`select e.id from subscription s
    join lateral (select id from endpoint where id = s.endpoint_id and environment_id = g.environment_id and is_active
      and deleted_at is null offset 0) e on true
    where s.event_type_id = t.id ${condition} order by s.endpoint_id limit ${limit}::int`;
}

/** Starts from the application, because a type may have as many subscribers as the workspace has customers. */
function subscribersOfApplication(): Prisma.Sql {
  return Prisma.sql`select e.id from endpoint e
    where e.application_id = g.application_id and e.environment_id = g.environment_id and e.is_active
      and e.deleted_at is null
      and exists (select from subscription s where s.endpoint_id = e.id and s.event_type_id = t.id)
    order by e.id limit ${MAX_OF_APPLICATION}::int`;
}
