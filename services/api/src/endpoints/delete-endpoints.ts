import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { type Changes, countOfDeleted } from '../audit/change.ts';

/**
 * Deletes endpoints by their keys, or all endpoints of an environment or application. None of their deliveries is claimed
 * any more, and no event is fanned out to them. Only the endpoints are changed: a dispatcher deletes their subscriptions,
 * which may be hundreds of thousands, and their secrets in pages (maintenance/clear-deleted-endpoints.ts). The number of
 * statements does not depend on the number of endpoints or deliveries. Returns parts of an audit entry: the public ids of
 * the endpoints, oldest first, and the number of the subscriptions.
 */
export async function deleteEndpoints(
  transaction: DbTransaction,
  where: { id: string | { in: string[] } } | { environmentId: string } | { applicationId: string },
  now: Date,
): Promise<Changes> {
  const live = { ...where, deletedAt: null };
  const deleted = await transaction.endpoint.updateManyAndReturn({
    where: live,
    data: { deletedAt: now, updatedAt: now, isActive: false, version: { increment: 1 } },
    select: { id: true },
  });
  const ids = deleted.map(({ id }) => id).sort();
  const count = await transaction.subscription.count({ where: { endpointId: { in: ids } } });
  return {
    endpoints: { from: ids.map((id) => toId('ep', id)), to: [] },
    ...countOfDeleted('subscriptions', { count }),
  };
}
