import { LIMITS } from '@posthorn/contract/limits';
import type { Db } from '@posthorn/db/client';
import type { WorkspaceContext } from '../operation/context.ts';

/** The endpoints that a portal reaches, without those of agents; undefined for a caller that reaches the whole workspace. */
export async function ownEndpointIds(
  { workspace, bounds }: WorkspaceContext,
  db: Pick<Db, 'endpoint'>,
): Promise<string[] | undefined> {
  if (bounds.applicationId === undefined) return undefined;
  const where = { workspaceId: workspace.id, ...bounds, deletedAt: null, isTemporary: false };
  const rows = await db.endpoint.findMany({ where, select: { id: true }, take: LIMITS.endpointsPerApplication });
  return rows.map(({ id }) => id);
}
