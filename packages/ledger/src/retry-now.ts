import type { Db, DbTransaction } from '@posthorn/db/client';

export type RetryNow =
  /** Pending, due now, with one full schedule again. */
  | { kind: 'retried'; generation: number }
  /** It is being delivered right now. */
  | { kind: 'in_progress' }
  | { kind: 'missing' };

/**
 * A person asks for another round (decisions §7): any status but `delivering` becomes pending. Attempt numbers count
 * on, `firstAttemptAt` and `deliveredAt` are kept, the schedule starts again.
 */
export async function retryDeliveryNow(db: Db | DbTransaction, deliveryId: string): Promise<RetryNow> {
  const rows = await db.$queryRaw<{ generation: number }[]>`
    update delivery set
      status = 'pending', due_at = now(), generation = generation + 1, schedule_step = 0, lost_leases = 0,
      next_trigger = 'manual', failure_reason = null, lease_token = null, updated_at = now()
    where id = ${deliveryId}::uuid and status <> 'delivering'
    returning generation`;
  const row = rows[0];
  if (row !== undefined) return { kind: 'retried', generation: row.generation };
  const found = await db.delivery.findUnique({ where: { id: deliveryId }, select: { id: true } });
  return found === null ? { kind: 'missing' } : { kind: 'in_progress' };
}
