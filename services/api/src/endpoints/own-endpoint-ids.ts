import { LIMITS } from '@posthorn/contract/limits';
import type { Db } from '@posthorn/db/client';
import type { WorkspaceContext } from '../operation/context.ts';

/** Of an application, the endpoints of its agents included. */
export const MOST_ENDPOINTS = LIMITS.endpointsPerApplication + LIMITS.agentSubscriptionsPerApplication;

/** The endpoints that a portal reaches, with those of agents; undefined for a caller that reaches the whole workspace. */
export async function ownEndpointIds(
  { workspace, bounds }: WorkspaceContext,
  db: Pick<Db, 'endpoint'>,
): Promise<string[] | undefined> {
  if (bounds.applicationId === undefined) return undefined;
  const where = { workspaceId: workspace.id, ...bounds, deletedAt: null };
  const orderBy = { isTemporary: 'asc' } as const;
  const rows = await db.endpoint.findMany({ where, orderBy, select: { id: true }, take: MOST_ENDPOINTS });
  return rows.map(({ id }) => id);
}
