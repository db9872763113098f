import { DELIVERY_STATUSES, type DeliveryStatus } from '@posthorn/contract/deliveries';
import type { EventStatus } from '@posthorn/contract/events';
import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import type { EventSource } from '@posthorn/ingest/store-events';
import { deliveryIdsOf } from '@posthorn/ledger/delivery-id';
import { portalOf } from '../auth/bounds.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { type EventRow, presentAccepted } from './present-accepted.ts';

type Reach = WorkspaceContext;

/** Events as the interface shows them, in order. A portal counts the deliveries of its own application alone. */
export async function presentEvents(reach: Reach, db: Db, rows: readonly EventRow[]) {
  const states = await readStates(db, reach, rows);
  const payloadKeys = reach.sees.payloads && reach.workspace.plan !== 'free' ? reach.sealingKeys : undefined;
  return rows.map((row) => {
    const state = states.get(row.id) ?? NO_STATE;
    return {
      ...presentAccepted(row, payloadKeys),
      // A customer need not know where an event comes from.
      ...(portalOf(reach.bounds) === undefined ? { source: row.source as EventSource | null } : {}),
      status: state.status,
      deliveries: countsOf(state),
      reachedApplications: state.reachedApplications,
    };
  });
}

type State = { status: EventStatus; counts: Partial<Record<DeliveryStatus, number>>; reachedApplications: number };

const NO_STATE: State = { status: 'unmatched', counts: {}, reachedApplications: 0 };

/** The deliveries of event `e`. Their ids have the event's time, as in `deliveryIdsOf`. */
const DELIVERIES = Prisma.sql`select from delivery d where d.event_id = e.id and d.workspace_id = e.workspace_id
  and d.id between (left(e.id::text, 13) || '-0000-0000-000000000000')::uuid
    and (left(e.id::text, 13) || '-ffff-ffff-ffffffffffff')::uuid`;
/** Whether event `e` waits. An event to one endpoint has its delivery at once, and never waits here. */
const WAITING = Prisma.sql`(exists (select from pending_fan_out w where w.event_id = e.id offset 0)
  or exists (select from scheduled_event w where w.event_id = e.id offset 0))`;

/**
 * The status of event `e`, with its `id`, `workspace_id` and `deliver_at`. All its deliveries count, whoever may see
 * them, also those of deleted endpoints. Most events are not scheduled, and `offset 0` keeps each look-up to its own
 * row.
 */
export const EVENT_STATUS = Prisma.sql`(case
  when exists (select from cancelled_event c where c.event_id = e.id offset 0) then 'cancelled'
  when e.deliver_at > now() and (${WAITING} or exists (${DELIVERIES} and d.status = 'pending' offset 0)) then 'scheduled'
  when ${WAITING} then 'matching'
  when exists (${DELIVERIES} offset 0) then 'matched'
  else 'unmatched' end)`;

function countsOf({ counts }: State): Record<DeliveryStatus, number> {
  const zeros = { pending: 0, delivering: 0, delivered: 0, scheduled_retry: 0, failed: 0, dead_letter: 0 };
  for (const status of DELIVERY_STATUSES) zeros[status] = counts[status] ?? 0;
  return zeros;
}

/** The states of events, in one statement, so that an event that is just being fanned out is seen before or after it. */
async function readStates(db: Db, reach: Reach, events: readonly EventRow[]): Promise<Map<string, State>> {
  if (events.length === 0) return new Map();
  const ranges = events.map(({ id }) => deliveryIdsOf(id));
  const rows = await db.$queryRaw<(State & { id: string })[]>`
    select e.id, ${EVENT_STATUS} as status, n.counts, n."reachedApplications"
    from (select ${reach.workspace.id}::uuid as workspace_id, * from unnest(
      ${events.map(({ id }) => id)}::uuid[], ${ranges.map(({ lowest }) => lowest)}::uuid[],
      ${ranges.map(({ highest }) => highest)}::uuid[],
      ${events.map(({ deliverAt }) => deliverAt?.toISOString() ?? null)}::timestamptz[]) as g(id, lowest, highest, deliver_at)) e
    cross join lateral (
      with d as materialized (${deliveriesOf(reach)})
      select
        (select coalesce(json_object_agg(s.status, s.n), '{}') from (
          select status, count(*)::int as n from d group by status) s) as counts,
        (select count(distinct p.application_id)::int from d join endpoint p on p.id = d.endpoint_id)
          as "reachedApplications") n`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Deliveries of event `e` that the caller reaches. An application has few: they are found by its endpoints. */
function deliveriesOf({ workspace, bounds }: Reach): Prisma.Sql {
  const portal = portalOf(bounds);
  if (portal === undefined) {
    return Prisma.sql`select status, endpoint_id from delivery
      where workspace_id = ${workspace.id}::uuid and id between e.lowest and e.highest and event_id = e.id`;
  }
  return Prisma.sql`select o.status, o.endpoint_id from endpoint p cross join lateral (
      select status, endpoint_id from delivery where endpoint_id = p.id and id between e.lowest and e.highest and event_id = e.id
      offset 0) o
    where p.application_id = ${portal.applicationId}::uuid and p.environment_id = ${portal.environmentId}::uuid
      and p.deleted_at is null`;
}
