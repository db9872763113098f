import { among } from '@posthorn/db/among';
import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { NOT_LEASED } from './lease.ts';

export type PutOff = { deliveryId: string; delaySeconds: number };

/** Ring it under this generation, once the delay is over. */
export type Moved = { generation: number };

/**
 * Moves what is due to a later time, because it is not its turn: status kept, no attempt spent. A row whose lease ran
 * out moves too, and stays one: the claim that follows still counts the lost lease. Answers one for each, in order;
 * undefined when the row was not due, not open, or another's.
 */
export async function putOffDeliveries(db: Db, deliveries: readonly PutOff[]): Promise<(Moved | undefined)[]> {
  const sorted = [...deliveries].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  const deliveryIds = sorted.map((delivery) => delivery.deliveryId);
  const delays = sorted.map((delivery) => delivery.delaySeconds);
  const rows = await retryConflicts(
    () => db.$queryRaw<{ id: string; generation: number }[]>`
      update delivery d set
        due_at = now() + make_interval(secs => l.delay_seconds), generation = d.generation + 1, updated_at = now()
      from unnest(${deliveryIds}::uuid[], ${delays}::float8[]) as l(delivery_id, delay_seconds)
      where ${among('d.id', deliveryIds)} and d.id = l.delivery_id and d.due_at <= now() and ${NOT_LEASED}
      returning d.id, d.generation`,
  );
  const generations = new Map(rows.map((row) => [row.id, row.generation]));
  return deliveries.map(({ deliveryId }) => {
    const generation = generations.get(deliveryId);
    // One delivery asked for twice was moved once: the second ticket would be the same.
    generations.delete(deliveryId);
    return generation === undefined ? undefined : { generation };
  });
}
