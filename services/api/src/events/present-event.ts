import { DELIVERY_STATUSES, type DeliveryStatus } from '@posthorn/contract/deliveries';
import type { EventStatus } from '@posthorn/contract/events';
import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { deliveryIdsOf } from '@posthorn/ledger/delivery-id';
import { portalOf } from '../auth/bounds.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { type EventRow, presentAccepted } from './present-accepted.ts';

type Reach = Pick<WorkspaceContext, 'workspace' | 'bounds' | 'sees' | 'sealingKeys'>;

/** Events as the interface shows them, in order. A portal counts the deliveries of its own application alone. */
export async function presentEvents(reach: Reach, db: Db, rows: readonly EventRow[]) {
  const states = await readStates(db, reach, rows);
  const payloadKeys = reach.sees.payloads && reach.workspace.plan !== 'free' ? reach.sealingKeys : undefined;
  return rows.map((row) => {
    const state = states.get(row.id) ?? NO_STATE;
    return {
      ...presentAccepted(row, payloadKeys),
      status: statusOf(state),
      deliveries: countsOf(state),
      reachedApplications: state.reachedApplications,
    };
  });
}

type State = {
  cancelled: boolean;
  waiting: boolean;
  /** Its time lies ahead. */
  ahead: boolean;
  /** Whether it has a delivery, also one that the counts leave out: of a deleted endpoint, or of another customer. */
  delivered: boolean;
  hasPending: boolean;
  counts: Partial<Record<DeliveryStatus, number>>;
  reachedApplications: number;
};

const NO_STATE: State = {
  ...{ cancelled: false, waiting: false, ahead: false, delivered: false, hasPending: false },
  counts: {},
  reachedApplications: 0,
};

/** As the filters of lists decide (`conditionsOf`). */
function statusOf({ cancelled, waiting, ahead, delivered, hasPending }: State): EventStatus {
  if (cancelled) return 'cancelled';
  // A direct event has its delivery at once.
  if (ahead && (waiting || hasPending)) return 'scheduled';
  if (waiting) return 'matching';
  return delivered ? 'matched' : 'unmatched';
}

function countsOf({ counts }: State): Record<DeliveryStatus, number> {
  const zeros = { pending: 0, delivering: 0, delivered: 0, scheduled_retry: 0, failed: 0, dead_letter: 0 };
  for (const status of DELIVERY_STATUSES) zeros[status] = counts[status] ?? 0;
  return zeros;
}

/** The states of events, in one statement, so that an event that is just being fanned out is seen before or after it. */
async function readStates(db: Db, reach: Reach, events: readonly EventRow[]): Promise<Map<string, State>> {
  if (events.length === 0) return new Map();
  const all = Prisma.sql`select from delivery d where d.workspace_id = ${reach.workspace.id}::uuid
    and d.id between g.lowest and g.highest and d.event_id = g.id`;
  const ranges = events.map(({ id }) => deliveryIdsOf(id));
  const rows = await db.$queryRaw<(State & { id: string })[]>`
    select g.id, exists (select from cancelled_event c where c.event_id = g.id) as cancelled,
      (exists (select from pending_fan_out w where w.event_id = g.id)
        or exists (select from scheduled_event w where w.event_id = g.id)) as waiting,
      coalesce(g.deliver_at > now(), false) as ahead,
      exists (${all} offset 0) as delivered, exists (${all} and d.status = 'pending' offset 0) as "hasPending", n.counts, n."reachedApplications"
    from unnest(${events.map(({ id }) => id)}::uuid[], ${ranges.map(({ lowest }) => lowest)}::uuid[],
      ${ranges.map(({ highest }) => highest)}::uuid[],
      ${events.map(({ deliverAt }) => deliverAt?.toISOString() ?? null)}::timestamptz[]) as g(id, lowest, highest, deliver_at)
    cross join lateral (
      with d as materialized (${deliveriesOf(reach)})
      select
        (select coalesce(json_object_agg(s.status, s.n), '{}') from (
          select status, count(*)::int as n from d group by status) s) as counts,
        (select count(distinct p.application_id)::int from d join endpoint p on p.id = d.endpoint_id)
          as "reachedApplications") n`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** The deliveries of event `g`. Few of them are an application's, so those are found from its endpoints. */
function deliveriesOf({ workspace, bounds }: Reach): Prisma.Sql {
  const portal = portalOf(bounds);
  if (portal === undefined) {
    return Prisma.sql`select status, endpoint_id from delivery
      where workspace_id = ${workspace.id}::uuid and id between g.lowest and g.highest and event_id = g.id`;
  }
  return Prisma.sql`select o.status, o.endpoint_id from endpoint p cross join lateral (
      select status, endpoint_id from delivery where endpoint_id = p.id and id between g.lowest and g.highest and event_id = g.id
      offset 0) o
    where p.application_id = ${portal.applicationId}::uuid and p.environment_id = ${portal.environmentId}::uuid
      and p.deleted_at is null`;
}
