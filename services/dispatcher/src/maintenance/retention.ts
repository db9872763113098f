import { trimAuditLog } from '@posthorn/db/audit-chain';
import type { Db } from '@posthorn/db/client';
import { dropExpiredPartitions, keepPartitionsAhead, withConnection } from '@posthorn/db/partitions';
import { expireDeliveries } from '@posthorn/ledger/expire';
import type { Clock } from '@posthorn/runtime/clock';
import { disableFailing } from './disable-failing.ts';

export type RetentionDeps = {
  db: Db;
  databaseUrl: string;
  /** Of the tables' owner, to Postgres itself: for partitions that are dropped and audit entries that are trimmed. */
  ownerDatabaseUrl: string;
  retentionDays: number;
  clock: Pick<Clock, 'now'>;
  /** Told for how many days ahead partitions stand ready. */
  onPartitionsAhead: (days: number) => void;
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
    auditEntries: await take('auditEntries', steps.auditEntries),
  };
}

function createSteps(deps: RetentionDeps) {
  const { db, ownerDatabaseUrl, retentionDays, clock } = deps;
  return {
    disabledEndpoints: () => disableFailing(db, clock),
    expiredDeliveries: () => expireDeliveries(db, retentionDays),
    partitionsAhead: () => makePartitions(deps),
    // A day longer than promised: a partition goes when its youngest row has expired.
    droppedPartitions: () =>
      withConnection(ownerDatabaseUrl, (connection) => dropExpiredPartitions(connection, retentionDays + 1)),
    auditEntries: () => withConnection(ownerDatabaseUrl, trimAuditLog),
  };
}

/** Answers the days ahead; they are told also where the step failed. */
async function makePartitions({ databaseUrl, onPartitionsAhead }: RetentionDeps): Promise<number> {
  const faults: unknown[] = [];
  const daysAhead = await keepPartitionsAhead(databaseUrl, (error) => faults.push(error));
  onPartitionsAhead(daysAhead);
  if (faults.length > 0) throw faults[0];
  return daysAhead;
}
