import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { type Changes, countOfDeleted } from '../audit/change.ts';

/**
 * Deletes endpoints by their keys, or all endpoints of an environment or application, with their subscriptions. None of
 * their deliveries is claimed any more. The number of statements does not depend on the number of endpoints or deliveries.
 * Returns them as parts of an audit entry: the public ids of the endpoints, oldest first, and the number of the
 * subscriptions, which may be hundreds of thousands.
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
  const subscriptions = await transaction.subscription.deleteMany({ where: { endpoint: where } });
  const ids = deleted.map(({ id }) => id).sort();
  return {
    endpoints: { from: ids.map((id) => toId('ep', id)), to: [] },
    ...countOfDeleted('subscriptions', subscriptions),
  };
}
