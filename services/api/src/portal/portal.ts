import { fromId, toId } from '@posthorn/contract/ids';
import type { PageQuery } from '@posthorn/contract/primitives';
import { portalOf } from '../auth/bounds.ts';
import { listCatalog } from '../catalog/catalog.ts';
import { agentSettingsOf } from '../environments/agent-settings.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { presentPortalSession } from '../portal-sessions/portal-sessions.ts';
import { presentPortalTerms } from '../workspaces/workspaces.ts';

/** The requesting session: its reach, its look and words, and its end. */
export async function getOwnSession(ctx: WorkspaceContext) {
  const row = await ctx.db.portalSession.findUniqueOrThrow({
    where: { id: fromId('prt', ctx.actor.id) ?? '' },
    include: {
      application: { select: { name: true } },
      environment: { select: { name: true, agents: true } },
    },
  });
  const agents = ctx.settings.agents === undefined ? undefined : agentSettingsOf(row.environment);
  const agentsPath = `/mcp/events/${toId('env', row.environmentId)}`;
  return {
    ...presentPortalSession(row),
    workspaceId: toId('ws', ctx.workspace.id),
    portalOrigins: ctx.workspace.portalOrigins,
    portalTerms: presentPortalTerms(ctx.workspace),
    sendsMail: ctx.settings.sendsMail,
    agentsUrl: agents?.enabled ? ctx.settings.baseUrl.replace(/\/$/, '') + agentsPath : null,
    agentsIssuer: agents?.enabled ? (agents.issuer?.issuer ?? null) : null,
    applicationName: row.application.name,
    environmentName: row.environment.name,
  };
}

/** The event types to which a customer may subscribe: those published in the session's environment, oldest first. */
export async function listPublishedEventTypes(ctx: WorkspaceContext, query: PageQuery) {
  return listCatalog(ctx, boundEnvironmentId(ctx), query, 'published event types');
}

/** The public id of the session's environment. */
export function boundEnvironmentId({ bounds }: WorkspaceContext): string {
  const portal = portalOf(bounds);
  if (portal === undefined) throw new Error('a portal session without an environment');
  return toId('env', portal.environmentId);
}
