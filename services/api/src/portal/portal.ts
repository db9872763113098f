import { fromId } from '@posthorn/contract/ids';
import type { PageQuery } from '@posthorn/contract/primitives';
import { presentEventType } from '../event-types/event-types.ts';
import type { WorkspaceContext } from '../http/context.ts';
import { listRows } from '../http/list-rows.ts';
import { presentPortalSession } from '../portal-sessions/portal-sessions.ts';

/** The requesting session: its reach, its theme, and its end. */
export async function getOwnSession(ctx: WorkspaceContext) {
  const row = await ctx.db.portalSession.findUniqueOrThrow({
    where: { id: fromId('prt', ctx.actor.id) ?? '' },
    include: { application: { select: { name: true } }, environment: { select: { name: true } } },
  });
  return {
    ...presentPortalSession(row),
    applicationName: row.application.name,
    environmentName: row.environment.name,
  };
}

/** The event types to which a customer may subscribe: those published in the session's environment, oldest first. */
export async function listPublishedEventTypes(ctx: WorkspaceContext, query: PageQuery) {
  const published = { some: { environmentId: boundEnvironment(ctx) } };
  return listRows(ctx, query, {
    name: ['published event types'],
    read: ({ after, take }) =>
      ctx.db.eventType.findMany({
        where: { workspaceId: ctx.workspace.id, published, ...(after === undefined ? {} : { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        take,
      }),
    present: presentEventType,
  });
}

function boundEnvironment({ bounds }: WorkspaceContext): string {
  if (bounds.environmentId === undefined) throw new Error('a portal session without an environment');
  return bounds.environmentId;
}
