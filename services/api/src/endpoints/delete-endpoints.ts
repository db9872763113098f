import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';

/**
 * Deletes the endpoints that stand together and their subscriptions, in as many statements whatever their number and
 * that of their deliveries; nothing is claimed for them any more. Answers their public ids, oldest first.
 */
export async function deleteEndpoints(
  transaction: DbTransaction,
  where: { id: string } | { environmentId: string } | { applicationId: string },
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
