import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { endSubscriptions, HAS_EXPIRED } from '@posthorn/ledger/agent-subscriptions';

const AT_ONCE = 200;

/**
 * Records the end of expired agent subscriptions, and deletes those that ended a week ago. Nothing depends on it: every
 * statement that creates or claims a delivery checks the expiry itself.
 */
export async function endExpiredSubscriptions(db: Db, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const ended = await retryConflicts(() => endSubscriptions(db, HAS_EXPIRED, { reason: 'expired', most: AT_ONCE }));
    if (ended.length < AT_ONCE) break;
  }
  while (!stopped.aborted) {
    const forgotten = await retryConflicts(
      () => db.$executeRaw`
        delete from agent_subscription where endpoint_id in (
          select endpoint_id from agent_subscription where ended_at < now() - interval '7 days'
          order by endpoint_id limit ${AT_ONCE}::int for update skip locked)`,
    );
    if (forgotten < AT_ONCE) return;
  }
}
