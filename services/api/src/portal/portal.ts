import { fromId } from '@posthorn/contract/ids';
import { presentEventType } from '../event-types/event-types.ts';
import type { WorkspaceContext } from '../http/context.ts';
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
export async function listPublishedEventTypes(ctx: WorkspaceContext) {
  const rows = await ctx.db.eventType.findMany({
    where: { workspaceId: ctx.workspace.id, published: { some: { environmentId: boundEnvironment(ctx) } } },
    orderBy: { id: 'asc' },
  });
  return rows.map(presentEventType);
}

function boundEnvironment({ bounds }: WorkspaceContext): string {
  if (bounds.environmentId === undefined) throw new Error('a portal session without an environment');
  return bounds.environmentId;
}
