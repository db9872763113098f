import type { precheckBody } from '@posthorn/contract/events';
import { toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { z } from 'zod';
import { requireApplication } from '../applications/require-application.ts';
import { requireEnvironment } from '../environments/environments.ts';
import { requireEventType } from '../event-types/event-types.ts';
import type { WorkspaceContext } from '../http/context.ts';
import { explain, skipReason } from './explain.ts';

type Row = {
  id: string;
  url: string;
  applicationId: string | null;
  isActive: boolean;
  isSubscribed: boolean;
};

/** Which endpoints would get an event of the type now, those first, and why the others would not. Changes nothing. */
export async function precheckEventType(ctx: WorkspaceContext, id: string, body: z.output<typeof precheckBody>) {
  const eventType = await requireEventType(ctx, ctx.db, id);
  const environment = await requireEnvironment(ctx, ctx.db, body.environmentId);
  const application =
    body.applicationId === undefined ? null : await requireApplication(ctx, ctx.db, body.applicationId);
  const key = { environmentId_eventTypeId: { environmentId: environment.id, eventTypeId: eventType.id } };
  const published = (await ctx.db.publishedEventType.findUnique({ where: key })) !== null;
  const sentTo = application?.id ?? null;
  const rows = await ctx.listDb.$queryRaw<Row[]>`
    select e.id, e.url, e.application_id as "applicationId", e.is_active as "isActive", s.id is not null as "isSubscribed"
    from endpoint e left join subscription s on s.endpoint_id = e.id and s.event_type_id = ${eventType.id}::uuid
    where e.environment_id = ${environment.id}::uuid and e.deleted_at is null
    order by (s.id is not null and e.is_active and (${sentTo}::uuid is null or e.application_id = ${sentTo}::uuid))
      desc nulls last, e.id limit ${LIMITS.precheckEndpoints + 1}::int`;
  const endpoints = rows.slice(0, LIMITS.precheckEndpoints).map(({ id: key, url, applicationId, ...then }) => {
    const reason = skipReason({ published, sentTo, endpoint: { applicationId, isDeleted: false, ...then } });
    return {
      endpointId: toId('ep', key),
      url,
      applicationId: applicationId === null ? null : toId('app', applicationId),
      decision: reason === null ? ('matched' as const) : ('skipped' as const),
      reason,
      detail: explain(reason, eventType.name),
    };
  });
  return {
    published,
    matched: endpoints.filter(({ decision }) => decision === 'matched').length,
    endpoints,
    truncated: rows.length > LIMITS.precheckEndpoints,
  };
}
