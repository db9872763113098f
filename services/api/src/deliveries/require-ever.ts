import { fromId } from '@posthorn/contract/ids';
import type { WorkspaceContext } from '../http/context.ts';
import { notFound } from '../http/error.ts';

type Reach = Pick<WorkspaceContext, 'db' | 'workspace' | 'bounds'>;

/** An endpoint within the caller's reach, deleted or not; `not_found` for one that never existed. */
export async function requireEverEndpoint({ db, workspace, bounds }: Reach, id: string) {
  const uuid = fromId('ep', id);
  const row =
    uuid === undefined
      ? null
      : await db.endpoint.findFirst({
          where: { id: uuid, workspaceId: workspace.id, ...bounds },
          select: { id: true, environmentId: true, applicationId: true },
        });
  if (row === null) throw notFound('Endpoint');
  return row;
}

/** The key of an environment within the caller's reach, deleted or not; `not_found` for one that never existed. */
export async function requireEverEnvironment({ db, workspace, bounds }: Reach, id: string): Promise<string> {
  const uuid = fromId('env', id);
  const isOutside = bounds.environmentId !== undefined && bounds.environmentId !== uuid;
  const where = { id: uuid ?? '', workspaceId: workspace.id };
  if (uuid === undefined || isOutside || (await db.environment.count({ where })) === 0) throw notFound('Environment');
  return uuid;
}
