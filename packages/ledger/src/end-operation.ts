import type { DbTransaction } from '@posthorn/db/client';

export type EndOperation = {
  operationId: string;
  status: 'completed' | 'cancelled' | 'failed';
  /** The reason, if the operation failed. */
  error?: string;
};

/**
 * Ends an operation, and returns whether it was still open. No other function ends an operation. The dispatcher
 * continues to count how the open deliveries end.
 */
export async function endOperation(transaction: DbTransaction, given: EndOperation): Promise<boolean> {
  const ended = await transaction.$executeRaw`
    update operation set status = ${given.status}::operation_status, error = ${given.error ?? null}::text,
      finished_at = now(), updated_at = now(), next_turn_at = case when unended = 0 then null else next_turn_at end
    where id = ${given.operationId}::uuid and finished_at is null`;
  return ended > 0;
}

/**
 * Pauses or resumes an operation that has not ended, and returns whether this changed it. Waits for a step that is in
 * progress. The dispatcher continues to count how the open deliveries end.
 */
export async function pauseOperation(
  transaction: DbTransaction,
  { operationId, isPaused }: { operationId: string; isPaused: boolean },
): Promise<boolean> {
  const changed = await transaction.$executeRaw`
    update operation set paused_at = case when ${isPaused}::boolean then now() end, updated_at = now(), next_turn_at = now()
    where id = ${operationId}::uuid and finished_at is null and (paused_at is not null) <> ${isPaused}::boolean`;
  return changed > 0;
}
