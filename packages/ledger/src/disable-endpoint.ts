import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { inTransaction } from '@posthorn/db/transaction';
import { endSubscriptions } from './agent-subscriptions.ts';
import { ONLY_FAILS } from './failing-endpoints.ts';

export type DisableReason = 'gone' | 'receiver' | 'failing';

export type DisableEndpoint = {
  endpointId: string;
  /**
   * The revision that was attempted or found. An endpoint that was edited since then is not changed. Without it, any
   * revision.
   */
  revision?: string;
  reason: DisableReason;
  /** The id of the audit entry itself. */
  auditEntryId: string;
  /** The endpoint's public id, for the audit entry. */
  publicId: string;
};

/**
 * Deactivates an endpoint because its receiver asked for it or never answers, and writes an audit entry by `system`. An
 * agent's endpoint ends with its subscription, without an entry. An endpoint that is already inactive or deleted, or
 * has another revision, is not changed, nor one that is `failing` no more. Returns whether the endpoint changed.
 */
export async function disableEndpoint(db: Db, input: DisableEndpoint): Promise<boolean> {
  const { revision } = input;
  return inTransaction(db, async (transaction) => {
    if (input.reason === 'failing' && !(await onlyFails(transaction, input.endpointId))) return false;
    const now = await postgresNow(transaction);
    const [endpoint] = await transaction.endpoint.updateManyAndReturn({
      where: { id: input.endpointId, isActive: true, deletedAt: null, ...(revision === undefined ? {} : { revision }) },
      data: {
        isActive: false,
        disabledAt: now,
        disabledReason: input.reason,
        updatedAt: now,
        version: { increment: 1 },
      },
      select: { workspaceId: true, applicationId: true, environmentId: true, isTemporary: true },
    });
    if (endpoint === undefined) return false;
    if (endpoint.isTemporary) {
      const condition = Prisma.sql`a.endpoint_id = ${input.endpointId}::uuid`;
      await endSubscriptions(transaction, condition, { reason: 'receiver' });
      return true;
    }
    await transaction.auditEntry.create({
      data: {
        id: input.auditEntryId,
        workspaceId: endpoint.workspaceId,
        applicationId: endpoint.applicationId,
        environmentId: endpoint.applicationId === null ? null : endpoint.environmentId,
        actorType: 'system',
        actorId: 'dispatcher',
        actorLabel: 'Posthorn',
        visibility: endpoint.applicationId === null ? 'workspace' : 'portal',
        action: 'endpoint.disabled',
        resourceType: 'endpoint',
        resourceId: input.publicId,
        metadata: {
          changes: { isActive: { from: true, to: false }, disabledReason: { from: null, to: input.reason } },
          ip: null,
          userAgent: null,
          requestId: null,
        },
      },
    });
    return true;
  });
}

/** Whether it still fails: its breaker's probe may have succeeded since it was found. */
async function onlyFails(db: Pick<Db, '$queryRaw'>, endpointId: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select from endpoint_health h where h.endpoint_id = ${endpointId}::uuid and ${ONLY_FAILS}`;
  return rows.length > 0;
}

async function postgresNow(db: Pick<Db, '$queryRaw'>): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`select now()`;
  if (row === undefined) throw new Error('Postgres returned no time');
  return row.now;
}
