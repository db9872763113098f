import { trimAuditLog } from '@posthorn/db/audit-chain';
import type { Db } from '@posthorn/db/client';
import { dropExpiredPartitions, ensurePartitions, withConnection } from '@posthorn/db/partitions';
import { expireDeliveries } from '@posthorn/ledger/expire';

export type RetentionDeps = { db: Db; databaseUrl: string; retentionDays: number };

/** What one round of retention did. */
export type RetentionResult = {
  expiredDeliveries: number;
  droppedPartitions: string[];
  idempotencyRecords: number;
  auditEntries: number;
};

/** Retry-safe upkeep, about once an hour on every dispatcher: partitions made ahead, expired ones dropped. */
export async function keepRetention({ db, databaseUrl, retentionDays }: RetentionDeps): Promise<RetentionResult> {
  const expiredDeliveries = await expireDeliveries(db, retentionDays);
  const droppedPartitions = await withConnection(databaseUrl, async (connection) => {
    await ensurePartitions(connection);
    // A day longer than promised: a partition goes when its youngest row has expired.
    return dropExpiredPartitions(connection, retentionDays + 1);
  });
  return {
    expiredDeliveries,
    droppedPartitions,
    idempotencyRecords: await deleteExpiredIdempotency(db),
    auditEntries: await trimAuditLog(db),
  };
}

/** In batches, so that no statement holds many rows for long. */
async function deleteExpiredIdempotency(db: Db): Promise<number> {
  let total = 0;
  for (let deleted = BATCH; deleted === BATCH; total += deleted) {
    deleted = await db.$executeRaw`
      delete from idempotency_record where (environment_id, key) in (
        select environment_id, key from idempotency_record where expires_at < now() limit ${BATCH}::int
        for update skip locked)`;
  }
  return total;
}

const BATCH = 1_000;
