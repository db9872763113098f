import { newUuid, toId } from '@posthorn/contract/ids';
import { trimAuditLog } from '@posthorn/db/audit-chain';
import type { Db } from '@posthorn/db/client';
import { withConnection } from '@posthorn/db/connection';
import { dropExpiredPartitions, keepPartitionsAhead } from '@posthorn/db/partitions';
import { countUsage, requireCounted } from '@posthorn/ledger/count-usage';
import { disableEndpoint } from '@posthorn/ledger/disable-endpoint';
import { expireDeliveries } from '@posthorn/ledger/expire';
import { findFailingEndpoints } from '@posthorn/ledger/failing-endpoints';
import type { LivePublisher } from '@posthorn/queue/live';
import type { Clock } from '@posthorn/runtime/clock';
import type { Gatherer } from '@posthorn/stats/gather';
import { deleteExpiredHistory } from './expire-history.ts';
import { deleteExpiredOperations } from './expire-operations.ts';
import { deleteExpiredPortalSessions } from './expire-portal-sessions.ts';

export type RetentionDeps = {
  db: Db;
  databaseUrl: string;
  /** A direct connection to Postgres as the owner of the tables, for dropping partitions and deleting audit entries. */
  ownerDatabaseUrl: string;
  retentionDays: number;
  clock: Clock;
  stats: Pick<Gatherer, 'countEnded'>;
  live: Pick<LivePublisher, 'deliveryChanged'>;
  /** Called with the number of days ahead for which partitions exist. */
  onPartitionsAhead: (days: number) => void;
  /** Called for each failed step. The other steps still run, but no partition with open deliveries is dropped. */
  onError: (step: string, error: unknown) => void;
  /** When it is aborted, the round ends after the present batch, partition or endpoint. */
  stopped?: AbortSignal;
};

/** The result of each step of a round; null if the step failed, or the round was stopped before it. */
export type RetentionResult = { [Step in keyof Steps]: Awaited<ReturnType<Steps[Step]>> | null };

type Steps = ReturnType<typeof createSteps>;

/**
 * Runs the steps of retention. Every dispatcher calls it about once an hour. Steps may be repeated, and may run
 * concurrently. Never throws.
 */
export async function keepRetention(deps: RetentionDeps): Promise<RetentionResult> {
  const steps = createSteps(deps);
  const take = async <Done>(step: string, work: () => Promise<Done>): Promise<Done | null> => {
    if (deps.stopped?.aborted) return null;
    try {
      return await work();
    } catch (error) {
      deps.onError(step, error);
      return null;
    }
  };
  const usage = await take('usage', steps.usage);
  const expiredDeliveries = await take('expiredDeliveries', steps.expiredDeliveries);
  return {
    usage,
    disabledEndpoints: await take('disabledEndpoints', steps.disabledEndpoints),
    expiredDeliveries,
    partitionsAhead: await take('partitionsAhead', steps.partitionsAhead),
    // Deliveries that are open at the end of their retention must end before their partition is dropped.
    droppedPartitions: expiredDeliveries === null ? null : await take('droppedPartitions', steps.droppedPartitions),
    historyRows: await take('historyRows', steps.historyRows),
    auditEntries: await take('auditEntries', steps.auditEntries),
    portalSessions: await take('portalSessions', steps.portalSessions),
    operations: await take('operations', steps.operations),
  };
}

function createSteps(deps: RetentionDeps) {
  const { db, ownerDatabaseUrl, retentionDays, clock, stats, live, stopped } = deps;
  return {
    usage: () => countUsage(db, { stopped }),
    disabledEndpoints: () => disableFailing(db, clock, stopped),
    expiredDeliveries: () =>
      expireDeliveries(db, retentionDays, {
        stopped,
        onExpired(expired) {
          for (const delivery of expired) {
            live.deliveryChanged(delivery);
            if (!delivery.isTest) stats.countEnded(delivery, 'failed');
          }
        },
      }),
    partitionsAhead: () => makePartitions(deps),
    // Drops a partition a day later than promised, once its youngest row has expired. Rows that are not yet counted for
    // billing stay, whatever the result of the earlier count.
    droppedPartitions: () =>
      withConnection(ownerDatabaseUrl, (connection) =>
        dropExpiredPartitions(connection, retentionDays + 1, { stopped, mayDrop: (day) => requireCounted(db, day) }),
      ),
    // Kept as long as the row of the oldest event.
    historyRows: () => deleteExpiredHistory(db, retentionDays + 2, clock, stopped),
    auditEntries: () => withConnection(ownerDatabaseUrl, (connection) => trimAuditLog(connection, stopped)),
    portalSessions: () => deleteExpiredPortalSessions(db, stopped),
    operations: () => deleteExpiredOperations(db, retentionDays, stopped),
  };
}

/** Returns the number of days ahead, which is also reported if the step fails. */
async function makePartitions({ databaseUrl, onPartitionsAhead }: RetentionDeps): Promise<number> {
  const faults: unknown[] = [];
  const daysAhead = await keepPartitionsAhead(databaseUrl, (error) => faults.push(error));
  onPartitionsAhead(daysAhead);
  if (faults.length > 0) throw faults[0];
  return daysAhead;
}

/**
 * Deactivates endpoints that have only failed for 5 days, and returns their public ids. Every dispatcher calls it about
 * once an hour. Once it is stopped, it deactivates no further endpoint.
 */
async function disableFailing(db: Db, clock: Clock, stopped?: AbortSignal): Promise<string[]> {
  const disabled: string[] = [];
  for (const failing of await findFailingEndpoints(db)) {
    if (stopped?.aborted) break;
    const publicId = toId('ep', failing.endpointId);
    const auditEntryId = newUuid(clock.now());
    if (await disableEndpoint(db, { ...failing, reason: 'failing', auditEntryId, publicId })) {
      disabled.push(publicId);
    }
  }
  return disabled;
}
