import { trimAuditLog } from '@posthorn/db/audit-chain';
import type { Db } from '@posthorn/db/client';
import { dropExpiredPartitions, ensurePartitions, withConnection } from '@posthorn/db/partitions';
import { expireDeliveries } from '@posthorn/ledger/expire';
import { disableFailing } from './disable-failing.ts';

export type RetentionDeps = {
  db: Db;
  databaseUrl: string;
  /** Of the tables' owner, to Postgres itself: for partitions that are dropped and audit entries that are trimmed. */
  ownerDatabaseUrl: string;
  retentionDays: number;
  /** Told of each step that failed; the others are taken all the same, save that nothing is dropped that may be open. */
  onError: (step: string, error: unknown) => void;
};

/** What one round of retention did; null where the step failed. */
export type RetentionResult = { [Step in keyof Steps]: Awaited<ReturnType<Steps[Step]>> | null };

type Steps = ReturnType<typeof createSteps>;

/** Upkeep that can be repeated and be done by many at once, about once an hour on every dispatcher. Never throws. */
export async function keepRetention(deps: RetentionDeps): Promise<RetentionResult> {
  const steps = createSteps(deps);
  const take = async <Done>(step: string, work: () => Promise<Done>): Promise<Done | null> => {
    try {
      return await work();
    } catch (error) {
      deps.onError(step, error);
      return null;
    }
  };
  const expiredDeliveries = await take('expiredDeliveries', steps.expiredDeliveries);
  return {
    disabledEndpoints: await take('disabledEndpoints', steps.disabledEndpoints),
    expiredDeliveries,
    partitionsAhead: await take('partitionsAhead', steps.partitionsAhead),
    // What is still open at its retention's end is ended before its partition goes.
    droppedPartitions: expiredDeliveries === null ? null : await take('droppedPartitions', steps.droppedPartitions),
    idempotencyRecords: await take('idempotencyRecords', steps.idempotencyRecords),
    auditEntries: await take('auditEntries', steps.auditEntries),
  };
}

function createSteps({ db, databaseUrl, ownerDatabaseUrl, retentionDays }: RetentionDeps) {
  return {
    disabledEndpoints: () => disableFailing(db),
    expiredDeliveries: () => expireDeliveries(db, retentionDays),
    partitionsAhead: () =>
      withConnection(databaseUrl, async (connection) => {
        await ensurePartitions(connection);
        return true;
      }),
    // A day longer than promised: a partition goes when its youngest row has expired.
    droppedPartitions: () =>
      withConnection(ownerDatabaseUrl, (connection) => dropExpiredPartitions(connection, retentionDays + 1)),
    idempotencyRecords: () => deleteExpiredIdempotency(db),
    auditEntries: () => withConnection(ownerDatabaseUrl, trimAuditLog),
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
