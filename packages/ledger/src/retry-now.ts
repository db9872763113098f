import type { DbTransaction } from '@posthorn/db/client';
import { among } from '@posthorn/db/uuid-range';
import { TOKEN_AFTER_LEASE, WAITS } from './lease.ts';
import { dueInTurn, LOCKS_ARE_TAKEN, lockEventsToBePlaced, locksOfChosen } from './ordering.ts';

export type RetryNow =
  /** Pending, and due now or when its turn comes, with one full schedule again. */
  | { kind: 'retried'; generation: number; from: string }
  /** The delivery has used all its manual retries. */
  | { kind: 'limit_reached' }
  /** An attempt is in progress. */
  | { kind: 'in_progress' }
  | { kind: 'missing' };

/**
 * Starts a manual retry (docs/interface.md, Manual retry). A delivery without an attempt in progress becomes pending,
 * at most `mostRetries` times in its life. Attempt numbers continue, `firstAttemptAt` and `deliveredAt` are kept, and
 * the schedule starts again. At a fifo endpoint, it is sent in its turn among the open deliveries of its key, and not
 * before its event has its place. No event gets its place until the transaction ends.
 */
export async function retryDeliveryNow(
  transaction: DbTransaction,
  deliveryId: string,
  mostRetries: number,
): Promise<RetryNow> {
  const toBePlaced = await lockEventsToBePlaced(transaction, [deliveryId]);
  const rows = await transaction.$queryRaw<{ generation: number; from: string }[]>`
    with ${locksOfChosen(among('id', [deliveryId]))},
    before as (
      select d.id, d.status, d.manual_retries, ${WAITS} as waits from delivery d
      where d.id = ${deliveryId}::uuid and ${LOCKS_ARE_TAKEN} for update)
    update delivery d set
      status = 'pending', due_at = ${dueInTurn(toBePlaced)}, generation = d.generation + 1, schedule_step = 0, lost_leases = 0,
      next_trigger = 'manual', operation_id = null, manual_retries = d.manual_retries + 1, failure_reason = null, cancel_reason = null,
      lease_token = ${TOKEN_AFTER_LEASE}, leased_until = null, updated_at = now()
    from before
    where d.id = ${deliveryId}::uuid and d.id = before.id and (before.waits or before.status <> 'delivering')
      and before.manual_retries < ${mostRetries}::int
    returning d.generation, before.status as "from"`;
  const row = rows[0];
  if (row !== undefined) return { kind: 'retried', ...row };
  const found = await transaction.delivery.findUnique({ where: { id: deliveryId }, select: { manualRetries: true } });
  if (found === null) return { kind: 'missing' };
  return { kind: found.manualRetries >= mostRetries ? 'limit_reached' : 'in_progress' };
}
