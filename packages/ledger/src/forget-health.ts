import type { DbTransaction } from '@posthorn/db/client';

/**
 * An endpoint that a person activates again starts with a clean record: its breaker is closed, and what it did before
 * counts no longer towards `health` or a deactivation.
 */
export async function forgetHealth(transaction: DbTransaction, endpointId: string): Promise<void> {
  await transaction.endpointHealth.deleteMany({ where: { endpointId } });
}
