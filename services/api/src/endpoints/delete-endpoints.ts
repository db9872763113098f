import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { type Changes, countsOf } from '../audit/change.ts';

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
  // Do not count what a pattern made of a customer's endpoint for a type that is not published there: the customer's
  // audit log would reveal the type.
  const [row] = await transaction.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from subscription s join endpoint e on e.id = s.endpoint_id
    where s.endpoint_id = any(${ids}::uuid[]) and (s.pattern is null or e.application_id is null or exists (
      select from published_event_type p where p.event_type_id = s.event_type_id and p.environment_id = e.environment_id))`;
  return {
    endpoints: { from: ids.map((id) => toId('ep', id)), to: [] },
    ...countsOf('subscriptions', { from: row?.count ?? 0 }),
  };
}
