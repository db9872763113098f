import type { precheckBody } from '@posthorn/contract/events';
import { toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { firstObstacle } from '@posthorn/filter/match-filter';
import { createGiveWay } from '@posthorn/runtime/give-way';
import type { z } from 'zod';
import { requireApplication } from '../applications/require-application.ts';
import { requireEnvironment } from '../environments/environments.ts';
import { requireEventType } from '../event-types/event-types.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { explain, explainFilter, skipReason } from './explain.ts';
import { filterOf } from './set-up-then.ts';

type Row = {
  id: string;
  url: string;
  applicationId: string | null;
  isActive: boolean;
  isSubscribed: boolean;
  filter: unknown;
};

/** The time limit for matching filters: many of them on a large payload would take minutes. */
const MATCHING_MS = 2_000;

/**
 * Lists the endpoints that would get an event of the type now, and then the others with the reason. Changes nothing.
 */
export async function precheckEventType(ctx: WorkspaceContext, id: string, body: z.output<typeof precheckBody>) {
  const eventType = await requireEventType(ctx, ctx.db, id);
  const environment = await requireEnvironment(ctx, ctx.db, body.environmentId);
  const application =
    body.applicationId === undefined ? null : await requireApplication(ctx, ctx.db, body.applicationId);
  const key = { environmentId_eventTypeId: { environmentId: environment.id, eventTypeId: eventType.id } };
  const published = (await ctx.db.publishedEventType.findUnique({ where: key })) !== null;
  const sentTo = application?.id ?? null;
  const rows = await ctx.listDb.$queryRaw<Row[]>`
    select e.id, e.url, e.application_id as "applicationId", e.is_active as "isActive", s.id is not null as "isSubscribed",
      s.filter
    from endpoint e left join subscription s on s.endpoint_id = e.id and s.event_type_id = ${eventType.id}::uuid
    where e.environment_id = ${environment.id}::uuid and e.deleted_at is null and not e.is_temporary
    order by (s.id is not null and e.is_active and (${sentTo}::uuid is null or e.application_id = ${sentTo}::uuid))
      desc nulls last, e.id limit ${LIMITS.precheckEndpoints + 1}::int`;
  const endpoints = [];
  const giveWay = createGiveWay();
  const untilMs = ctx.clock.monotonicMs() + MATCHING_MS;
  for (const row of rows.slice(0, LIMITS.precheckEndpoints)) {
    if (endpoints.length > 0 && ctx.clock.monotonicMs() > untilMs) break;
    endpoints.push({
      endpointId: toId('ep', row.id),
      url: row.url,
      applicationId: row.applicationId === null ? null : toId('app', row.applicationId),
      ...decide(row, { published, sentTo, payload: body.payload, eventType: eventType.name }),
    });
    await giveWay();
  }
  return {
    published,
    matched: endpoints.filter(({ decision }) => decision === 'matched').length,
    endpoints,
    truncated: rows.length > endpoints.length,
  };
}

type Sent = { published: boolean; sentTo: string | null; payload: unknown; eventType: string };

function decide(
  { applicationId, isActive, isSubscribed, ...row }: Row,
  { published, sentTo, payload, eventType }: Sent,
) {
  const filter = filterOf(row.filter);
  const obstacle = filter === null || payload === undefined ? undefined : firstObstacle(filter, payload);
  const endpoint = { applicationId, isDeleted: false, isSubscribed, isActive, matchesFilter: obstacle === undefined };
  const reason = skipReason({ published, sentTo, endpoint });
  if (reason === 'filtered') return { decision: 'skipped' as const, reason, detail: explainFilter(obstacle, true) };
  if (reason !== null) return { decision: 'skipped' as const, reason, detail: explain(reason, eventType) };
  if (filter === null || payload !== undefined) {
    return { decision: 'matched' as const, reason, detail: explain(null, eventType) };
  }
  return { decision: 'depends' as const, reason, detail: 'The subscription has a filter: it depends on the payload.' };
}
