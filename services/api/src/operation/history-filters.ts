import { fromId } from '@posthorn/contract/ids';
import { requireApplication } from '../applications/require-application.ts';
import { reachedEnvironments } from '../auth/bounds.ts';
import { endpointKeyOf } from '../endpoints/endpoint-reference.ts';
import { notFound } from '../transport/error.ts';
import type { WorkspaceContext } from './context.ts';

// The filters of large reads. A filter may name a deleted resource, because its history still exists. An id that never
// existed, or that the portal cannot reach, is `not_found`.

type Reach = Pick<WorkspaceContext, 'db' | 'workspace' | 'bounds'>;

/** If endpoints in several environments share an externalId, `environment_id` selects one of them. */
export async function requireEverEndpoint(
  { db, workspace, bounds }: Reach,
  id: string,
  environment_id?: string | undefined,
  environmentField?: string,
) {
  const uuid = await endpointKeyOf({ workspace, bounds }, db, id, environment_id, environmentField);
  const where = { id: uuid ?? '', workspaceId: workspace.id, ...bounds };
  const select = { id: true, environmentId: true, applicationId: true };
  const row = uuid === undefined ? null : await db.endpoint.findFirst({ where, select });
  if (row === null) throw notFound('Endpoint');
  return row;
}

export async function requireEverEnvironment({ db, workspace, bounds }: Reach, id: string): Promise<string> {
  const uuid = fromId('env', id);
  const within = bounds.environmentId === undefined ? {} : { id: bounds.environmentId };
  const where = { AND: [{ id: uuid ?? '' }, within], workspaceId: workspace.id };
  if (uuid === undefined || (await db.environment.count({ where })) === 0) throw notFound('Environment');
  return uuid;
}

/** The environments of a list: the one that a filter names, or those that the caller reaches; null for all. */
export async function environmentsAsked(ctx: Reach, id: string | undefined): Promise<string[] | null> {
  return id === undefined ? (reachedEnvironments(ctx.bounds) ?? null) : [await requireEverEnvironment(ctx, id)];
}

/** Finds an application by `app_…`, even when it is deleted, or by `ext:` and its externalId. */
export async function requireEverApplication(ctx: Reach, reference: string): Promise<string> {
  if (reference.startsWith('ext:')) return (await requireApplication(ctx, ctx.db, reference)).id;
  const uuid = fromId('app', reference);
  const within = ctx.bounds.applicationId === undefined ? {} : { id: ctx.bounds.applicationId };
  const where = { AND: [{ id: uuid ?? '' }, within], workspaceId: ctx.workspace.id };
  if (uuid === undefined || (await ctx.db.application.count({ where })) === 0) throw notFound('Application');
  return uuid;
}
