import { LIMITS } from '@posthorn/contract/limits';
import type { DbTransaction } from '@posthorn/db/client';
import type { Kind } from '@posthorn/destinations/kind';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError, notFound } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';

/**
 * Locks the workspace until the transaction ends, so that endpoints are added one after another; `limit_reached` when
 * it would have more than the setting allows. Customers who create endpoints in their portals stop at nine tenths, so
 * that a tenth is left to the workspace itself.
 */
export async function holdRoomInWorkspace(ctx: WorkspaceContext, transaction: DbTransaction, added = 1): Promise<void> {
  const most = ctx.settings.maxEndpointsPerWorkspace;
  if (most === 0) return;
  await lockWorkspace(transaction, ctx.workspace.id);
  const count = await transaction.endpoint.count({
    where: { workspaceId: ctx.workspace.id, deletedAt: null, isTemporary: false },
    take: most,
  });
  if (count + added > most) throw new ApiError('limit_reached', `A workspace has at most ${most} endpoints`);
  if (ctx.bounds.applicationId === undefined) return;
  const mostOfCustomers = most - Math.floor(most / 10);
  const ofCustomers = await transaction.endpoint.count({
    where: { workspaceId: ctx.workspace.id, applicationId: { not: null }, deletedAt: null, isTemporary: false },
    take: mostOfCustomers,
  });
  if (ofCustomers + added > mostOfCustomers)
    throw new ApiError('limit_reached', `Customers of a workspace create at most ${mostOfCustomers} endpoints`);
}

/**
 * Lets endpoints of a kind be added to an environment one after another, until the transaction ends; `limit_reached`
 * when it has as many as the kind allows. All portals together may create half of them, and one portal an eighth. It
 * takes a lock of its own, so events and other endpoints of the environment do not wait.
 */
export async function holdRoomForKind(
  { bounds: { applicationId } }: WorkspaceContext,
  transaction: DbTransaction,
  { kind: { type, mostInEnvironment: most }, environmentId }: { kind: Kind; environmentId: string },
): Promise<void> {
  if (most === null) return;
  await transaction.$queryRaw`
    select 1 from (select pg_advisory_xact_lock(hashtextextended(${`${type}s:${environmentId}`}, 0))) locked`;
  const count = (where: object) =>
    transaction.endpoint.count({ where: { environmentId, type, deletedAt: null, ...where } });
  const refuseBeyond = async (of: string, where: object, limit: number) => {
    if ((await count(where)) >= limit) throw new ApiError('limit_reached', `${of} at most ${limit} ${type}s`);
  };
  await refuseBeyond('An environment has', {}, most);
  if (applicationId === undefined) return;
  await refuseBeyond('All customers in an environment have', { applicationId: { not: null } }, Math.floor(most / 2));
  await refuseBeyond('A customer in an environment has', { applicationId }, Math.floor(most / 8));
}

/**
 * Locks the application until the transaction ends, so that no endpoint is added to an application that is being
 * deleted, and endpoints are added one after another; `limit_reached` when it has 500 endpoints.
 */
export async function holdRoomInApplication(transaction: DbTransaction, applicationId: string): Promise<void> {
  const rows = await transaction.$queryRaw<unknown[]>`
    select 1 from application where id = ${applicationId}::uuid and deleted_at is null for no key update`;
  if (rows.length === 0) throw notFound('Application');
  const count = await transaction.endpoint.count({ where: { applicationId, deletedAt: null, isTemporary: false } });
  if (count >= LIMITS.endpointsPerApplication) {
    throw new ApiError('limit_reached', `An application has at most ${LIMITS.endpointsPerApplication} endpoints`);
  }
}
