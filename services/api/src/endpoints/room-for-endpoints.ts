import { LIMITS } from '@posthorn/contract/limits';
import type { DbTransaction } from '@posthorn/db/client';
import type { WorkspaceContext } from '../http/context.ts';
import { ApiError, notFound } from '../http/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';

/**
 * Locks the workspace until the transaction ends, so that endpoints are added one after another; `limit_reached` when
 * it would have more than the setting allows.
 */
export async function holdRoomInWorkspace(ctx: WorkspaceContext, transaction: DbTransaction, added = 1): Promise<void> {
  const most = ctx.settings.maxEndpointsPerWorkspace;
  if (most === 0) return;
  await lockWorkspace(transaction, ctx.workspace.id);
  const count = await transaction.endpoint.count({
    where: { workspaceId: ctx.workspace.id, deletedAt: null },
    take: most,
  });
  if (count + added > most) throw new ApiError('limit_reached', `A workspace has at most ${most} endpoints`);
}

/**
 * Lets playgrounds of an environment be added one after another, until the transaction ends; `limit_reached` when it
 * has 20. A lock of its own: events and other endpoints of the environment do not wait.
 */
export async function holdRoomForPlayground(transaction: DbTransaction, environmentId: string): Promise<void> {
  await transaction.$queryRaw`
    select 1 from (select pg_advisory_xact_lock(hashtextextended(${`playgrounds:${environmentId}`}, 0))) locked`;
  const count = await transaction.endpoint.count({ where: { environmentId, type: 'playground', deletedAt: null } });
  if (count >= LIMITS.playgroundsPerEnvironment) {
    throw new ApiError('limit_reached', `An environment has at most ${LIMITS.playgroundsPerEnvironment} playgrounds`);
  }
}

/**
 * Locks the application until the transaction ends, so that no endpoint is added to an application that is being
 * deleted, and endpoints are added one after another; `limit_reached` when it has 500 endpoints.
 */
export async function holdRoomInApplication(transaction: DbTransaction, applicationId: string): Promise<void> {
  const rows = await transaction.$queryRaw<unknown[]>`
    select 1 from application where id = ${applicationId}::uuid and deleted_at is null for no key update`;
  if (rows.length === 0) throw notFound('Application');
  const count = await transaction.endpoint.count({ where: { applicationId, deletedAt: null } });
  if (count >= LIMITS.endpointsPerApplication) {
    throw new ApiError('limit_reached', `An application has at most ${LIMITS.endpointsPerApplication} endpoints`);
  }
}
