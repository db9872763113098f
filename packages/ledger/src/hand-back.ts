import { among } from '@posthorn/db/among';
import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';

export type HandBack = {
  deliveryId: string;
  leaseToken: string;
  /** When it is due again; 0 is now. */
  delaySeconds: number;
};

export type HandedBack = { generation: number };

/**
 * Returns leases unused: each row goes back to what it was before the claim, no attempt spent. Answers one for each, in
 * order, to be rung; undefined when the lease was no longer ours. A row whose schedule is at its start was pending, one
 * past it was scheduled_retry.
 */
export async function handBackDeliveries(db: Db, leases: readonly HandBack[]): Promise<(HandedBack | undefined)[]> {
  const sorted = [...leases].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  const deliveryIds = sorted.map((lease) => lease.deliveryId);
  const leaseTokens = sorted.map((lease) => lease.leaseToken);
  const delays = sorted.map((lease) => lease.delaySeconds);
  const rows = await retryConflicts(
    () => db.$queryRaw<{ id: string; generation: number }[]>`
      update delivery d set
        status = (case when d.schedule_step = 0 then 'pending' else 'scheduled_retry' end)::delivery_status,
        due_at = now() + make_interval(secs => l.delay_seconds), generation = d.generation + 1, lease_token = null,
        leased_until = null, updated_at = now()
      from unnest(${deliveryIds}::uuid[], ${leaseTokens}::uuid[], ${delays}::float8[])
        as l(delivery_id, lease_token, delay_seconds)
      where ${among('d.id', deliveryIds)} and d.id = l.delivery_id and d.lease_token = l.lease_token
        and d.status = 'delivering'
      returning d.id, d.generation`,
  );
  const generations = new Map(rows.map((row) => [row.id, row.generation]));
  return leases.map(({ deliveryId }) => {
    const generation = generations.get(deliveryId);
    return generation === undefined ? undefined : { generation };
  });
}
