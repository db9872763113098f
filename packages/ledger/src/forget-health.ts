import type { DbTransaction } from '@posthorn/db/client';

/**
 * Resets the health of an endpoint that a person activates again: its breaker is closed, and earlier outcomes no longer
 * count towards `health` or a deactivation. The row stays, because it keeps when an operational event last told that the
 * endpoint fails. Without a last failure, the trigger of operational events does not take this for a recovery.
 */
export async function forgetHealth(transaction: DbTransaction, endpointId: string): Promise<void> {
  await transaction.endpointHealth.updateMany({
    where: { endpointId },
    data: {
      consecutiveFailures: 0,
      failingSince: null,
      lastFailureAt: null,
      windowStartedAt: null,
      windowAttempts: 0,
      windowFailures: 0,
      openUntil: null,
      openStep: 0,
      probeDeliveryId: null,
    },
  });
}
