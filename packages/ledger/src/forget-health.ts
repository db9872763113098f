import type { DbTransaction } from '@posthorn/db/client';

/**
 * Resets the health of an endpoint that a person activates again, or gives another URL or other credentials: its
 * breaker closes, and earlier outcomes no longer count towards `health` or a deactivation. The row stays, because it
 * has the time of the last operational event about the failing endpoint. Its last failure is cleared, so that the
 * trigger of operational events reports no recovery.
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
