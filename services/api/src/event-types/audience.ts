import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { endSubscriptions } from '@posthorn/ledger/agent-subscriptions';
import { keyOfApplication } from '../applications/require-application.ts';
import { type Changes, countsOf } from '../audit/change.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { subscribeToType } from '../subscriptions/patterns.ts';
import { notFound } from '../transport/error.ts';

/** The condition for the types that an application's portal may show, by their audiences. */
export function shownTo(portal: { environmentId: string; applicationId: string }): Prisma.EventTypeWhereInput {
  const { environmentId, applicationId } = portal;
  return { audiences: { none: { environmentId, NOT: { applicationIds: { has: applicationId } } } } };
}

/** The audience as answers show it; null for all applications. */
export function presentAudience(row: { applicationIds: string[] } | null | undefined): string[] | null {
  return row?.applicationIds.map((id) => toId('app', id)) ?? null;
}

type Place = { environmentId: string; eventType: { id: string; name: string } };

/**
 * Sets the applications whose portals show a type; undefined changes nothing. Returns the audience before and after,
 * with the parts of its audit entry. At endpoints of customers who may no longer see the type, the subscriptions that
 * patterns made end. The patterns of customers who now see the type subscribe to it. Subscriptions that were made one
 * by one stay, except those of agents. The caller has locked the workspace and the environment.
 */
export async function setAudience(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  { environmentId, eventType }: Place,
  wanted: readonly string[] | null | undefined,
): Promise<{ from: string[] | null; to: string[] | null; changes: Changes }> {
  const key = { environmentId, eventTypeId: eventType.id };
  const where = { environmentId_eventTypeId: key };
  const row = await transaction.eventTypeAudience.findUnique({ where });
  const from = presentAudience(row);
  if (wanted === undefined) return { from, to: from, changes: {} };
  const applicationIds = wanted === null ? null : await requireApplications(ctx, transaction, wanted);
  const to = presentAudience(applicationIds === null ? null : { applicationIds });
  if (JSON.stringify(from) === JSON.stringify(to)) return { from, to, changes: {} };
  const ofPatterns = {
    eventTypeId: eventType.id,
    pattern: { not: null },
    endpoint: { environmentId, deletedAt: null },
  };
  const before = await transaction.subscription.count({ where: ofPatterns });
  // Agents of customers who may not see the type end, because they could not subscribe to it now.
  const agents =
    applicationIds === null
      ? []
      : await endSubscriptions(
          transaction,
          Prisma.sql`a.workspace_id = ${ctx.workspace.id}::uuid and a.event_type_id = ${eventType.id}::uuid
            and a.environment_id = ${environmentId}::uuid and not a.application_id = any(${applicationIds}::uuid[])
            and a.expires_at > now()`,
          { reason: 'event_type_removed' },
        );
  if (applicationIds === null) await transaction.eventTypeAudience.delete({ where });
  else {
    await transaction.eventTypeAudience.upsert({
      where,
      create: { ...key, applicationIds },
      update: { applicationIds },
    });
    await transaction.$executeRaw`
      delete from subscription s using endpoint e
      where s.event_type_id = ${eventType.id}::uuid and s.pattern is not null and e.id = s.endpoint_id
        and e.environment_id = ${environmentId}::uuid
        and e.application_id is not null and not e.application_id = any(${applicationIds}::uuid[])`;
  }
  // Leave out customers who saw the type before: they may have left it out of a pattern.
  if (row !== null) {
    const isNew = Prisma.sql`and environment_id = ${environmentId}::uuid and application_id is not null
      and not application_id = any(${row.applicationIds}::uuid[])`;
    const isIn =
      applicationIds === null ? Prisma.empty : Prisma.sql`and application_id = any(${applicationIds}::uuid[])`;
    await subscribeToType(ctx, transaction, eventType, Prisma.sql`${isNew} ${isIn}`);
  }
  const after = await transaction.subscription.count({ where: ofPatterns });
  return {
    from,
    to,
    changes: {
      applications: { from, to },
      ...countsOf('subscriptions', { from: before, to: after }),
      ...countsOf('agentSubscriptions', { from: agents.length }),
    },
  };
}

/** The keys of the named applications, oldest first and each once. */
async function requireApplications(ctx: WorkspaceContext, transaction: DbTransaction, references: readonly string[]) {
  const wanted = references.map(keyOfApplication);
  const found = await transaction.application.findMany({
    where: {
      OR: wanted.flatMap((one) => one ?? []),
      workspaceId: ctx.workspace.id,
      deletedAt: null,
    },
    orderBy: { id: 'asc' },
    select: { id: true, externalId: true },
  });
  const names = new Set(
    found.flatMap(({ id, externalId }) => (externalId === null ? [id] : [id, `ext:${externalId}`])),
  );
  for (const one of wanted) {
    const name = one !== undefined && ('id' in one ? one.id : `ext:${one.externalId}`);
    if (name === false || !names.has(name)) throw notFound('Application');
  }
  return found.map(({ id }) => id);
}

/** Removes a deleted application from all audiences. A type with no other application is then shown to nobody. */
export async function leaveAudiences(transaction: DbTransaction, applicationId: string): Promise<void> {
  await transaction.$executeRaw`
    update event_type_audience set application_ids = array_remove(application_ids, ${applicationId}::uuid)
    where environment_id in (
        select e.id from environment e join application a using (workspace_id) where a.id = ${applicationId}::uuid)
      and ${applicationId}::uuid = any(application_ids)`;
}
