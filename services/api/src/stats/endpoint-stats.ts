import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { ALL_TYPES } from '@posthorn/stats/rows';
import { portalOf } from '../auth/bounds.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';
import { retentionMs } from '../workspaces/retention.ts';
import { stepsOf } from './span.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;

export type EndpointStats = {
  hours: { at: string; succeeded: number; failed: number }[];
  lastSuccessAt: string | null;
  lastFailureAt: string | null;
  failureRate: number;
  isSubscribed: boolean;
};

/**
 * The statistics of endpoints for the last 24 hours, by their keys; `lastSuccessAt` and `lastFailureAt` within the
 * retention. `forbidden` for a portal session that may not see deliveries.
 */
export async function requireEndpointStats(
  {
    listDb: db,
    clock,
    sees,
    bounds,
    ...kept
  }: Pick<WorkspaceContext, 'listDb' | 'clock' | 'settings' | 'sees' | 'workspace' | 'bounds'>,
  endpointIds: readonly string[],
): Promise<(endpointId: string) => EndpointStats> {
  if (!sees.deliveries) throw new ApiError('forbidden', 'This portal session lacks the capability deliveries:read');
  const nowMs = clock.now().getTime();
  const toMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
  const fromMs = toMs - HOURS * HOUR_MS;
  const oldest = new Date(nowMs - retentionMs(kept));
  const rows = new Map(
    (await readRows(db, endpointIds, { from: new Date(fromMs), oldest })).map((row) => [row.id, row]),
  );
  const subscribed = await readSubscribed(db, endpointIds, portalOf(bounds));
  return (endpointId) => {
    const row = rows.get(endpointId);
    const counted = new Map((row?.hours ?? []).map((hour) => [Date.parse(hour.at), hour]));
    const hours = stepsOf({ fromMs, toMs }, 'hour').map((atMs) => {
      const { succeeded = 0, failed = 0 } = counted.get(atMs) ?? {};
      return { at: new Date(atMs).toISOString(), succeeded, failed };
    });
    const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
    const attempts = hours.reduce((sum, hour) => sum + hour.succeeded, failed);
    return {
      hours,
      lastSuccessAt: row?.lastSuccessAt?.toISOString() ?? null,
      lastFailureAt: row?.lastFailureAt?.toISOString() ?? null,
      failureRate: attempts === 0 ? 0 : failed / attempts,
      isSubscribed: subscribed.has(endpointId),
    };
  };
}

type Row = {
  id: string;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  hours: { at: string; succeeded: number; failed: number }[] | null;
};

function readRows(
  db: Db,
  endpointIds: readonly string[],
  { from, oldest }: { from: Date; oldest: Date },
): Promise<Row[]> {
  return db.$queryRaw<Row[]>`
    select subject_id as id, max(last_success_at) as "lastSuccessAt", max(last_failure_at) as "lastFailureAt",
      json_agg(json_build_object('at', at, 'succeeded', succeeded, 'failed', failed)) filter (where at >= ${from}) as hours
    from stat
    where subject_id = any(${endpointIds}::uuid[]) and is_hour and event_type = ${ALL_TYPES} and at >= ${oldest}
    group by subject_id`;
}

/**
 * An endpoint may have very many subscriptions: one of them is read. In a portal, only those to types that it shows count.
 */
async function readSubscribed(
  db: Db,
  endpointIds: readonly string[],
  portal: ReturnType<typeof portalOf>,
): Promise<Set<string>> {
  const shown =
    portal === undefined
      ? Prisma.empty
      : Prisma.sql`and exists (select from published_event_type p
          where p.event_type_id = s.event_type_id and p.environment_id = ${portal.environmentId}::uuid)
          and not exists (select from event_type_audience a where a.event_type_id = s.event_type_id
            and a.environment_id = ${portal.environmentId}::uuid and not ${portal.applicationId}::uuid = any(a.application_ids))`;
  const rows = await db.$queryRaw<{ id: string }[]>`
    select id from unnest(${endpointIds}::uuid[]) as e(id)
    where exists (select from subscription s where s.endpoint_id = e.id ${shown})`;
  return new Set(rows.map(({ id }) => id));
}
