import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import { type Filter, type FilterDocument, parseFilter } from '@posthorn/filter/parse-filter';
import type { EventGroup } from '@posthorn/queue/jobs';
import { LRUCache } from 'lru-cache';

/** The filters of some endpoints, by endpoint id. An endpoint without a filter gets every event. */
export type EndpointFilters = ReadonlyMap<string, Filter>;

/** The endpoints that match the events of a group. */
export type Route = {
  /** The routing revision of the environment at which the endpoints were read. */
  routingRevision: string;
  endpointIds: readonly string[];
  /** The filters of the endpoints whose subscription has one. */
  filters: EndpointFilters;
  /** How long payloads of the event type are kept. */
  payloadRetention: PayloadRetention;
  /** The size of the route in memory, counted in endpoint ids. */
  size: number;
  /** The group is wide: it has more endpoints than a route holds. They are read in pages, for one event at a time. */
  isWide: boolean;
  /** No endpoint has limits, an agent's expiry or consumers that fetch. Deliveries to all of them are due at once. */
  isPlain: boolean;
};

/** Null if the event type does not exist. */
export type PayloadRetention = 'workspace' | 'until_ended' | 'none' | null;

export type Routes = {
  /**
   * The route of each group, in order. A cached route may be outdated: the insert compares its revision. Undefined for
   * a group whose filters do not fit with those of the other groups. At least one group fits.
   */
  of(groups: readonly EventGroup[]): Promise<(Route | undefined)[]>;
  /** The route of the group, if it is cached. */
  known(group: EventGroup): Route | undefined;
  /** Forgets the routes of groups whose revision has changed. */
  forget(groups: readonly EventGroup[]): void;
  /**
   * Learns that the environment's routing now has this revision. Every route from another revision is read again when
   * it is needed, so one refused statement is enough to renew all of them.
   */
  learn(environmentId: string, revision: string): void;
};

/** The number of environments whose revision is remembered. */
const MAX_REVISIONS = 10_000;
/**
 * The most endpoints of a cached route. With more, the insert costs more than the look-up, so caching gains nothing. An
 * application has at most 500 endpoints, and 1,000 subscriptions of agents.
 */
const MOST_ENDPOINTS = { ofType: 250, ofApplication: 1_500 };
/**
 * The most endpoint ids in all cached routes of a process: about 20 MB. A parsed filter counts as the number of ids
 * that take the same memory.
 */
const MAX_CACHED_ENDPOINTS = 200_000;
/**
 * The most bytes of filters, as text, to read at once for a batch. The last route may exceed it. A route has up to 2 MB
 * of filters, a batch has up to 100 groups, and a parsed filter takes about five times the memory of its text.
 */
const MAX_FILTER_BYTES = 4 * 2 ** 20;
const MAX_FILTER_BYTES_OF_PAGE = 2 ** 20;
/** The most groups in one statement. Postgres makes the text of all their filters before it leaves any out. */
const GROUPS_AT_ONCE = 16;

type RoutesDb = Pick<Db, '$queryRaw'>;

/** A group with more endpoints than this is wide: no more than these are read. */
export type MostEndpoints = { ofType: number; ofApplication: number };

/**
 * Reads which endpoints match: published, subscribed, in the same environment, active, and of the event's application
 * when it names one. Routes are kept without a time limit, because each change of a subscription, a publication or an
 * endpoint's activity renews the routing revision of its environment (docs/adr/0008).
 */
export function createRoutes(db: RoutesDb, most: MostEndpoints = MOST_ENDPOINTS): Routes {
  const cache = new LRUCache<string, Route>({
    maxSize: MAX_CACHED_ENDPOINTS,
    sizeCalculation: (route) => route.size,
  });
  const revisions = new LRUCache<string, string>({ max: MAX_REVISIONS });
  const known = (group: EventGroup): Route | undefined => {
    const route = cache.get(groupKey(group));
    const revision = revisions.get(group.environmentId) ?? route?.routingRevision;
    return route?.routingRevision === revision ? route : undefined;
  };
  return {
    async of(groups) {
      // Look these up before the others are loaded, which may evict them.
      const routes = new Map<string, Route>();
      const missing = new Map<string, EventGroup>();
      for (const group of groups) {
        const key = groupKey(group);
        const route = known(group);
        if (route === undefined) missing.set(key, group);
        else routes.set(key, route);
      }
      for (const [key, route] of await loadRoutes(db, missing, most)) {
        cache.set(key, route);
        routes.set(key, route);
        // This revision may be older than the one that was read, and never comes up again.
        const environmentId = missing.get(key)?.environmentId;
        if (environmentId !== undefined && revisions.has(environmentId))
          revisions.set(environmentId, route.routingRevision);
      }
      return groups.map((group) => routes.get(groupKey(group)));
    },
    known,
    learn: (environmentId, revision) => void revisions.set(environmentId, revision),
    forget(groups) {
      for (const group of groups) cache.delete(groupKey(group));
    },
  };
}

/** Events of the same group have equal keys. */
function groupKey({ environmentId, eventType, applicationId }: EventGroup): string {
  return `${environmentId} ${eventType} ${applicationId ?? ''}`;
}

/** The routes of groups whose filters fit together, by key. Workspaces take turns. */
async function loadRoutes(
  db: RoutesDb,
  missing: ReadonlyMap<string, EventGroup>,
  most: MostEndpoints,
): Promise<Map<string, Route>> {
  const routes = new Map<string, Route>();
  const groups = inTurns([...missing.values()]);
  let bytesLeft = MAX_FILTER_BYTES;
  for (let n = 0; n < groups.length && bytesLeft > 0; n += GROUPS_AT_ONCE) {
    const some = groups.slice(n, n + GROUPS_AT_ONCE);
    for (const row of await readRoutes(db, some, { most, maxFilterBytes: bytesLeft })) {
      const group = some[row.n - 1];
      if (group !== undefined)
        routes.set(groupKey(group), toRoute(row, group.applicationId === null ? most.ofType : most.ofApplication));
      bytesLeft -= row.bytes;
    }
  }
  return routes;
}

/** The first group of each workspace, then the second of each, and so on. */
function inTurns(groups: readonly EventGroup[]): EventGroup[] {
  const places = new Map<string, number>();
  const placed = groups.map((group) => {
    const place = places.get(group.workspaceId) ?? 0;
    places.set(group.workspaceId, place + 1);
    return { group, place };
  });
  return placed.sort((a, b) => a.place - b.place).map(({ group }) => group);
}

/** Reads routes in order until their filters exceed this many bytes. The last one may exceed it. */
function readRoutes(
  db: RoutesDb,
  groups: readonly EventGroup[],
  { most, maxFilterBytes }: { most: MostEndpoints; maxFilterBytes: number },
): Promise<RouteRow[]> {
  // Prisma infers the type of a list from its first value, so a list must not contain null.
  const applicationIds = groups.map((group) => group.applicationId ?? NIL_UUID);
  // A workspace with few bytes comes before the large groups of another workspace. The first group always has room.
  return db.$queryRaw<RouteRow[]>`
    with route as (
      select g.n::int, g.workspace_id, coalesce(v.routing_revision, ${NIL_UUID}::uuid) as revision, m.ids, m.filters, m.is_plain,
        (select r.payload_retention from event_type r where r.workspace_id = g.workspace_id and r.name = g.event_type)
          as retention,
        coalesce(octet_length(m.filters::text), 0) as bytes
      from unnest(${groups.map((group) => group.workspaceId)}::uuid[], ${groups.map((group) => group.environmentId)}::uuid[],
        ${groups.map((group) => group.eventType)}::text[], ${applicationIds}::uuid[])
        with ordinality as g(workspace_id, environment_id, event_type, application_id, n)
      left join environment v on v.id = g.environment_id
      cross join lateral (
        select array_agg(s.id) as ids, json_object_agg(s.id, s.filter) filter (where s.filter is not null) as filters,
          coalesce(bool_and(s.is_plain), true) as is_plain
        from (
          select s.* from (${publishedType()}) t cross join lateral (${subscribers(most.ofType + 1)}) s
          where g.application_id = ${NIL_UUID}::uuid
          union all
          select s.* from (${publishedType()}) t cross join lateral (${subscribersOfApplication(most.ofApplication + 1)}) s
          where g.application_id <> ${NIL_UUID}::uuid) s) m),
    in_turn as (
      select route.*, sum(bytes) over (partition by workspace_id order by n) as bytes_of_workspace from route),
    fitting as (
      select in_turn.*, coalesce(sum(bytes) over (order by bytes_of_workspace, n
        rows between unbounded preceding and 1 preceding), 0) <= ${maxFilterBytes}::int as fits from in_turn)
    select n, revision, ids, filters, is_plain, bytes, retention from fitting where fits`;
}

type RouteRow = {
  /** The place of the group in the statement, from 1. */
  n: number;
  /** The bytes of the group's filters as text. */
  bytes: number;
  revision: string;
  retention: PayloadRetention;
  /** Null if no endpoint matches. */
  ids: string[] | null;
  /** The filters by endpoint id; null if no endpoint has one. */
  filters: Record<string, FilterDocument> | null;
  is_plain: boolean;
};

/** A parsed filter takes about five times the memory of its text. An endpoint id takes about 100 bytes. */
const FILTER_BYTES_PER_ID = 20;

function toRoute(row: RouteRow, most: number): Route {
  const { revision, retention, ids, filters, bytes, is_plain: isPlain } = row;
  const endpointIds = ids ?? [];
  const common = { routingRevision: revision, payloadRetention: retention, isPlain };
  if (endpointIds.length > most) {
    return { ...common, endpointIds: [], filters: new Map(), size: 1, isWide: true };
  }
  const parsed = parseFilters(Object.entries(filters ?? {}));
  const size = 1 + endpointIds.length + Math.ceil(bytes / FILTER_BYTES_PER_ID);
  return { ...common, endpointIds, filters: parsed, size, isWide: false };
}

/** Parses a filter. The API stores only filters that can be parsed. */
function parseFilters(
  documents: readonly (readonly [endpointId: string, document: FilterDocument])[],
): EndpointFilters {
  const filters = new Map<string, Filter>();
  for (const [endpointId, document] of documents) {
    const parsed = parseFilter(document);
    if (parsed.kind === 'filter') filters.set(endpointId, parsed.filter);
  }
  return filters;
}

type EndpointPage = Pick<Route, 'endpointIds' | 'filters'> & { isLast: boolean };

/** The endpoints of a group, in pages of at most `pageSize`, by their ids. A page with large filters has fewer. */
export async function* pagesOfEndpoints(db: Db, group: EventGroup, pageSize: number): AsyncGenerator<EndpointPage> {
  let after = NIL_UUID;
  let most = pageSize;
  for (;;) {
    const page =
      group.applicationId === null
        ? subscribers(most, Prisma.sql`and s.endpoint_id > ${after}::uuid`)
        : subscribersOfApplication(most, Prisma.sql`and e.id > ${after}::uuid`);
    const rows = await db.$queryRaw<{ id: string; filter: FilterDocument | null; found: number }[]>`
      select id, filter, found from (
        select s.*, count(*) over ()::int as found, coalesce(sum(octet_length(s.filter::text)) over (order by s.id
          rows between unbounded preceding and 1 preceding), 0) as bytes_before
        from (select ${group.workspaceId}::uuid as workspace_id, ${group.environmentId}::uuid as environment_id,
          ${group.eventType}::text as event_type, ${group.applicationId}::uuid as application_id) g
        cross join lateral (${publishedType()}) t
        cross join lateral (${page}) s) s
      where bytes_before <= ${MAX_FILTER_BYTES_OF_PAGE}::int order by id`;
    const documents = rows.flatMap(({ id, filter }) => (filter === null ? [] : [[id, filter] as const]));
    const isCut = rows.length < (rows[0]?.found ?? 0);
    const isLast = !isCut && rows.length < most;
    yield { endpointIds: rows.map((row) => row.id), filters: parseFilters(documents), isLast };
    if (isLast) return;
    // Postgres makes the text of all filters of a page before it leaves any out.
    most = Math.min(pageSize, isCut ? 2 * rows.length : 2 * most);
    after = rows.at(-1)?.id ?? after;
  }
}

// `offset 0` makes Postgres read types before endpoints. Otherwise the planner joins every endpoint with every type. It
// also makes Postgres find each endpoint by its id, or by its application. While the table has no statistics, the planner
// would use the index on environments instead, and read all endpoints of the environment for each subscription.

function publishedType(): Prisma.Sql {
  return Prisma.sql`select t.id from event_type t join published_event_type v on v.event_type_id = t.id
    where t.workspace_id = g.workspace_id and t.name = g.event_type and v.environment_id = g.environment_id offset 0`;
}

function subscribers(limit: number, condition: Prisma.Sql = Prisma.empty): Prisma.Sql {
  // Order before the join, so that apart from inactive endpoints no more are read than are returned.
  return Prisma.sql`select e.id, s.filter, not e.is_limited and not e.is_pulled and not e.is_temporary as is_plain from (
      select * from subscription s where s.event_type_id = t.id ${condition} order by s.endpoint_id offset 0) s
    join lateral (select * from endpoint where id = s.endpoint_id offset 0) e
      on e.environment_id = g.environment_id and e.is_active and e.deleted_at is null
    order by s.endpoint_id limit ${limit}::int`;
}

/** Begin with the application: an event type may have as many subscribers as the workspace has customers. */
function subscribersOfApplication(limit: number, condition: Prisma.Sql = Prisma.empty): Prisma.Sql {
  return Prisma.sql`select e.id, s.filter, not e.is_limited and not e.is_pulled and not e.is_temporary as is_plain from (
      select * from endpoint where application_id = g.application_id and is_active and deleted_at is null offset 0) e
    join lateral (select filter from subscription where endpoint_id = e.id and event_type_id = t.id offset 0) s on true
    where e.environment_id = g.environment_id ${condition}
    order by e.id limit ${limit}::int`;
}
