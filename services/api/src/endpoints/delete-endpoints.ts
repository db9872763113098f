import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';

/**
 * Deletes endpoints by their keys, or all endpoints of an environment or application, with their subscriptions. None of their
 * deliveries is claimed any more. The number of statements does not depend on the number of endpoints or deliveries.
 * Returns the endpoints' public ids, oldest first.
 */
export async function deleteEndpoints(
  transaction: DbTransaction,
  where: { id: string | { in: string[] } } | { environmentId: string } | { applicationId: string },
  now: Date,
): Promise<string[]> {
  const live = { ...where, deletedAt: null };
  const deleted = await transaction.endpoint.updateManyAndReturn({
    where: live,
    data: { deletedAt: now, updatedAt: now, isActive: false, version: { increment: 1 } },
    select: { id: true },
  });
  await transaction.subscription.deleteMany({ where: { endpoint: where } });
  return deleted
    .map(({ id }) => id)
    .sort()
    .map((id) => toId('ep', id));
}
