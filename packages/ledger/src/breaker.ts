import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { among } from '@posthorn/db/uuid-range';
import { IS_KEPT } from './catch-up.ts';
import { LEASE_MARGIN_SECONDS, OFFER_ENDED, SUSPECT_LOST_LEASES } from './lease.ts';
import { enterLines } from './line.ts';
import { IN_LINE, placeInLine } from './waiting.ts';

// The circuit breaker of an endpoint (docs/interface.md, Circuit breaker). All dispatchers share it through
// `endpoint_health`. The settle counts outcomes and opens it (`sql/settle.sql`).

export type BreakerDecision =
  /** Claim this delivery although the breaker is open. Its attempt is the endpoint's probe. */
  | { kind: 'probe'; deliveryId: string }
  /** The delivery waits in the endpoint's line. Its status is kept, and no attempt is spent. */
  | { kind: 'breaker_open'; deliveryId: string };

type Asked = { deliveryId: string; endpointId: string; isolated?: boolean; fromLine?: boolean };

/** A probe that is about to begin moves the time of the next one within this time. */
const PROBE_BEGINS_SECONDS = 1;

/**
 * Handles the given rows that are due at an endpoint with an open breaker. If a probe is due, one row becomes the
 * probe, and the statement moves `open_until` ahead by the lease. Only one dispatcher can do that, so there is one
 * probe for all dispatchers together. The other rows enter the line of the endpoint.
 */
export async function deferAtOpenBreaker(
  db: Db,
  asked: readonly Asked[],
  { defaultTimeoutSeconds, endedBy }: { defaultTimeoutSeconds: number; endedBy: string },
): Promise<BreakerDecision[]> {
  const waits = Prisma.sql`(d.status in ('pending', 'scheduled_retry')
            or ${OFFER_ENDED} and d.leased_until <= ${endedBy}::timestamptz)`;
  const deliveryIds = asked.map((one) => one.deliveryId).sort();
  const isolatedIds = asked.filter((one) => one.isolated === true).map((one) => one.deliveryId);
  const lineIds = asked.filter((one) => one.fromLine === true).map((one) => one.deliveryId);
  const endpointIds = [...new Set(asked.map((one) => one.endpointId))];
  const rows = await retryConflicts(
    () => db.$queryRaw<{ id: string; isProbe: boolean }[]>`
      with breaker as materialized (
        select endpoint_id, open_until from endpoint_health
        where endpoint_id = any(${endpointIds}::uuid[]) and open_until is not null
      ), stopped as materialized (
        select d.id, d.endpoint_id, b.open_until, ${IN_LINE} as is_in_line,
          make_interval(secs => coalesce(p.timeout_seconds, ${defaultTimeoutSeconds}::int) + ${LEASE_MARGIN_SECONDS}::int)
            as lease
        from delivery d join breaker b on b.endpoint_id = d.endpoint_id join endpoint p on p.id = d.endpoint_id
        where exists (select from breaker) and ${among('d.id', deliveryIds)}
          and (d.due_at <= now() or ${IN_LINE} and d.id = any(${lineIds}::uuid[]))
          and ${waits} and p.is_active and p.deleted_at is null
          and (d.lost_leases < ${SUSPECT_LOST_LEASES}::int or d.id = any(${isolatedIds}::uuid[]))
      ), probe as (
        update endpoint_health h set open_until = now() + c.lease, probe_delivery_id = c.id
        from (select distinct on (endpoint_id) * from stopped order by endpoint_id, id) c
        where h.endpoint_id = c.endpoint_id and h.open_until <= now()
        returning h.probe_delivery_id as id
      ), deferred as (
        update delivery d set
          due_at = ${placeInLine(Prisma.sql`d.operation_id is not null and d.next_trigger <> 'schedule'`, IS_KEPT)},
          status = (case when d.status = 'delivering' then 'pending' else d.status end)::delivery_status,
          lease_token = null, leased_until = null, lost_leases = greatest(d.lost_leases, 0),
          generation = d.generation + 1, updated_at = now()
        from stopped s
        where ${among('d.id', deliveryIds)} and d.id = s.id and d.id not in (select id from probe)
          and d.due_at <= now() and ${waits}
        returning d.id, d.endpoint_id, d.workspace_id, s.open_until
      ), lines as (${enterLines(Prisma.sql`
        select endpoint_id, (min(workspace_id::text))::uuid as workspace_id,
          greatest(extract(epoch from max(open_until) - now())::float8, ${PROBE_BEGINS_SECONDS}::float8) as seconds
        from deferred group by endpoint_id`)}
      )
      select id, false as "isProbe" from deferred union all select id, true from probe
      union all select id, false from stopped where is_in_line and id not in (select id from probe)`,
  );
  return rows.map(({ id: deliveryId, isProbe }) => ({ kind: isProbe ? 'probe' : 'breaker_open', deliveryId }));
}
