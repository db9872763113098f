import type { Db } from '@posthorn/db/client';
import { type Filter, parseFilter } from '@posthorn/filter/parse-filter';
import type { Circumstances } from './explain.ts';

/** A fan-out may or may not have seen a change within this time: the answers before and after it are both right. */
const TOLERANCE_MS = 1_000;

/** The set-up of some endpoints around a time. Each span is a time in which something held. */
export type SetUp = {
  /** The event types of this name that were published, and when. */
  published: (Span & { eventTypeId: string })[];
  endpoints: Map<string, EndpointThen>;
};

type Span = { from: Date; until: Date | null };

export type EndpointThen = {
  url: string;
  description: string;
  applicationId: string | null;
  deletedAt: Date | null;
  subscribed: (Span & { eventTypeId: string; filter: Filter | null })[];
  inactive: Span[];
};

export type EventFacts = { workspaceId: string; environmentId: string; eventType: string };

/**
 * Reads the set-up around a time. The tables have what still holds; what has ended is in the history that triggers
 * keep. Only spans that touch the second before or after the time are read.
 */
export async function readSetUp(
  db: Db,
  { workspaceId, environmentId, eventType }: EventFacts,
  endpointIds: readonly string[],
  at: Date,
): Promise<SetUp> {
  const [from, to] = [new Date(at.getTime() - TOLERANCE_MS), new Date(at.getTime() + TOLERANCE_MS)];
  const published = await db.$queryRaw<SetUp['published']>`
    select t.id as "eventTypeId", p.published_at as "from", null::timestamptz as "until"
    from event_type t join published_event_type p on p.event_type_id = t.id and p.environment_id = ${environmentId}::uuid
    where t.workspace_id = ${workspaceId}::uuid and t.name = ${eventType} and p.published_at <= ${to}::timestamptz
    union all
    select event_type_id, started_at, ended_at from ended_publication
    where environment_id = ${environmentId}::uuid and event_type = ${eventType}
      and started_at <= ${to}::timestamptz and ended_at >= ${from}::timestamptz`;
  const typeIds = [...new Set(published.map(({ eventTypeId }) => eventTypeId))];
  const rows = await db.$queryRaw<(Omit<EndpointThen, 'subscribed' | 'inactive'> & SpansRow & { id: string })[]>`
    select e.id, e.url, e.description, e.application_id as "applicationId", e.deleted_at as "deletedAt",
      (select coalesce(json_agg(json_build_array(s.id, s.filter, s.since, s.until)), '[]') from (
        select event_type_id as id, filter, greatest(created_at, (
            select max(ended_at) from ended_subscription p
            where p.endpoint_id = l.endpoint_id and p.event_type_id = l.event_type_id)) as since,
          null::timestamptz as until
        from subscription l
        where endpoint_id = e.id and event_type_id = any(${typeIds}::uuid[]) and created_at <= ${to}::timestamptz
        union all
        select event_type_id, filter, started_at, ended_at from ended_subscription
        where endpoint_id = e.id and event_type_id = any(${typeIds}::uuid[])
          and started_at <= ${to}::timestamptz and ended_at >= ${from}::timestamptz) s) as subscribed,
      (select coalesce(json_agg(json_build_array(i.since, i.until)), '[]') from (
        select coalesce(e.disabled_at, e.created_at) as since, null::timestamptz as until
        where not e.is_active and (e.disabled_at is not null or e.deleted_at is null)
        union all
        select started_at, ended_at from ended_inactivity
        where endpoint_id = e.id and started_at <= ${to}::timestamptz and ended_at >= ${from}::timestamptz) i) as inactive
    from endpoint e where e.id = any(${[...endpointIds]}::uuid[]) and e.workspace_id = ${workspaceId}::uuid`;
  return { published, endpoints: new Map(rows.map(({ id, ...row }) => [id, toThen(row)])) };
}

type SpansRow = { subscribed: [string, unknown, string, string | null][]; inactive: [string, string | null][] };

function toThen({ subscribed, inactive, ...row }: Omit<EndpointThen, 'subscribed' | 'inactive'> & SpansRow) {
  return {
    ...row,
    subscribed: subscribed.map(([eventTypeId, given, from, until]) => ({
      eventTypeId,
      filter: filterOf(given),
      ...spanOf(from, until),
    })),
    inactive: inactive.map(([from, until]) => spanOf(from, until)),
  };
}

/**
 * Parses a stored filter. It was checked before it was stored, so only a filter of a later version is unknown, and
 * counts as none.
 */
export function filterOf(given: unknown): Filter | null {
  const parsed = given === null ? null : parseFilter(given);
  return parsed?.kind === 'filter' ? parsed.filter : null;
}

function spanOf(from: string, until: string | null): Span {
  return { from: new Date(from), until: until === null ? null : new Date(until) };
}

/**
 * The times for which to ask why an endpoint did not get an event, in order: the fan-out itself, then a second later and
 * a second earlier, because the fan-out may have seen a change that was made as it ran.
 */
export function timesAround(fannedOutAt: Date): Date[] {
  return [0, TOLERANCE_MS, -TOLERANCE_MS].map((offsetMs) => new Date(fannedOutAt.getTime() + offsetMs));
}

type Moment = { sentTo: string | null; at: Date; fits: (filter: Filter) => boolean };

/** The circumstances of the decision about an endpoint at a time, and the filter that its subscription had. */
export function circumstancesAt({ published }: Pick<SetUp, 'published'>, endpoint: EndpointThen, moment: Moment) {
  const { sentTo, at, fits } = moment;
  const type = published.find((span) => holds(span, at));
  const subscription = endpoint.subscribed.find((one) => one.eventTypeId === type?.eventTypeId && holds(one, at));
  const filter = subscription?.filter ?? null;
  const circumstances: Circumstances = {
    published: type !== undefined,
    sentTo,
    endpoint: {
      applicationId: endpoint.applicationId,
      isDeleted: endpoint.deletedAt !== null && endpoint.deletedAt <= at,
      isSubscribed: subscription !== undefined,
      isActive: !endpoint.inactive.some((span) => holds(span, at)),
      matchesFilter: filter === null || fits(filter),
    },
  };
  return { circumstances, filter };
}

function holds({ from, until }: Span, at: Date): boolean {
  return from <= at && (until === null || at < until);
}
