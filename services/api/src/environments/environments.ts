import type { createEnvironmentBody } from '@posthorn/contract/environments';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { uniqueViolation } from '@posthorn/db/violations';
import type { z } from 'zod';
import type { WorkspaceContext } from '../http/context.ts';
import { ApiError, notFound } from '../http/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';

/** The workspace's environments, the default first, then oldest first. */
export async function listEnvironments(ctx: WorkspaceContext) {
  const rows = await ctx.db.environment.findMany({
    where: { workspaceId: ctx.workspace.id, deletedAt: null },
    orderBy: [{ isDefault: 'desc' }, { id: 'asc' }],
  });
  return rows.map(presentEnvironment);
}

/** At most 10 a workspace; nothing is published in a new one. */
export async function createEnvironment(ctx: WorkspaceContext, body: z.output<typeof createEnvironmentBody>) {
  return ctx
    .change('environment.created', async (transaction) => {
      await lockWorkspace(transaction, ctx.workspace.id);
      const count = await transaction.environment.count({ where: { workspaceId: ctx.workspace.id, deletedAt: null } });
      if (count >= LIMITS.environmentsPerWorkspace) {
        throw new ApiError(
          'environment_limit_reached',
          `A workspace has at most ${LIMITS.environmentsPerWorkspace} environments`,
        );
      }
      const row = await transaction.environment.create({
        data: { id: newUuid(), workspaceId: ctx.workspace.id, name: body.name, slug: body.slug },
      });
      const changes = { name: { from: null, to: row.name }, slug: { from: null, to: row.slug } };
      return { result: presentEnvironment(row), entry: { resourceId: toId('env', row.id), changes } };
    })
    .catch(refuseTakenSlug);
}

/**
 * The environment by its public id; without one the default one, or the caller's only one. `not_found` when it is
 * missing, another workspace's or out of reach.
 */
export async function requireEnvironment(
  ctx: Pick<WorkspaceContext, 'workspace' | 'bounds'>,
  db: Pick<Db | DbTransaction, 'environment'>,
  id: string | undefined,
) {
  const uuid = id === undefined ? undefined : fromId('env', id);
  if (id !== undefined && uuid === undefined) throw notFound('Environment');
  const { environmentId: only } = ctx.bounds;
  const within = only === undefined ? {} : { id: only };
  const which = uuid !== undefined ? { id: uuid } : only === undefined ? { isDefault: true } : {};
  const row = await db.environment.findFirst({
    where: { AND: [which, within], workspaceId: ctx.workspace.id, deletedAt: null },
  });
  if (row === null) throw notFound('Environment');
  return row;
}

/** Keeps the environment alive until the transaction ends, so that nothing is added to one being deleted. */
export async function holdEnvironment(transaction: DbTransaction, environmentId: string): Promise<void> {
  const rows = await transaction.$queryRaw<unknown[]>`
    select 1 from environment where id = ${environmentId}::uuid and deleted_at is null for share`;
  if (rows.length === 0) throw notFound('Environment');
}

/** A unique violation of the slug, told as `slug_taken`. */
export function refuseTakenSlug(error: unknown): never {
  if (uniqueViolation(error)?.includes('slug')) throw new ApiError('slug_taken', 'This slug is taken');
  throw error;
}

type EnvironmentRow = { id: string; name: string; slug: string; isDefault: boolean; createdAt: Date; updatedAt: Date };

export function presentEnvironment(row: EnvironmentRow) {
  return {
    id: toId('env', row.id),
    name: row.name,
    slug: row.slug,
    isDefault: row.isDefault,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
