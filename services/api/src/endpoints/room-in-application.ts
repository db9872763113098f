import { LIMITS } from '@posthorn/contract/limits';
import type { DbTransaction } from '@posthorn/db/client';
import { ApiError, notFound } from '../http/error.ts';

/**
 * Holds the application until the transaction ends, so that nothing is added to one being deleted and nobody else adds
 * meanwhile; `limit_reached` when it has its 500 endpoints.
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
