import type { DbTransaction } from '@posthorn/db/client';

/**
 * Resets the health of an endpoint that a person activates again: its breaker is closed, and earlier outcomes no longer
 * count towards `health` or a deactivation.
 */
export async function forgetHealth(transaction: DbTransaction, endpointId: string): Promise<void> {
  await transaction.endpointHealth.deleteMany({ where: { endpointId } });
}
