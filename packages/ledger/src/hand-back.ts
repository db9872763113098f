import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';

export type HandBack = { deliveryId: string; leaseToken: string };
export type HandedBack = { deliveryId: string; eventId: string; generation: number };

/**
 * Returns leases unused at shutdown: each row goes back to what it was before the claim, due now, no attempt spent.
 * Answers the rows that were still ours, to be rung for another dispatcher. A row whose schedule is at its start was
 * pending, one past it was scheduled_retry.
 */
export async function handBackDeliveries(db: Db, leases: readonly HandBack[]): Promise<HandedBack[]> {
  const sorted = [...leases].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  const deliveryIds = sorted.map((lease) => lease.deliveryId);
  const leaseTokens = sorted.map((lease) => lease.leaseToken);
  const rows = await retryConflicts(
    () => db.$queryRaw<{ id: string; event_id: string; generation: number }[]>`
      update delivery d set
        status = (case when d.schedule_step = 0 then 'pending' else 'scheduled_retry' end)::delivery_status,
        due_at = now(), generation = d.generation + 1, lease_token = null, updated_at = now()
      from unnest(${deliveryIds}::uuid[], ${leaseTokens}::uuid[]) as l(delivery_id, lease_token)
      where d.id = any(${deliveryIds}::uuid[]) and d.id = l.delivery_id and d.lease_token = l.lease_token
        and d.status = 'delivering'
      returning d.id, d.event_id, d.generation`,
  );
  return rows.map((row) => ({ deliveryId: row.id, eventId: row.event_id, generation: row.generation }));
}
