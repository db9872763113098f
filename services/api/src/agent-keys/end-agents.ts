import type { DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { endSubscriptions } from '@posthorn/ledger/agent-subscriptions';
import { type Changes, countsOf } from '../audit/change.ts';

/**
 * Ends the agent keys and subscriptions of an environment or application that is being deleted. Returns their numbers
 * for its audit entry.
 */
export async function endAgents(
  transaction: DbTransaction,
  where: { environmentId: string } | { applicationId: string },
): Promise<Changes> {
  const keys = await transaction.agentKey.deleteMany({ where });
  const condition =
    'environmentId' in where
      ? Prisma.sql`a.environment_id = ${where.environmentId}::uuid`
      : Prisma.sql`a.application_id = ${where.applicationId}::uuid`;
  const ended = await endSubscriptions(transaction, condition, { reason: 'deleted' });
  return {
    ...countsOf('agentKeys', { from: keys.count }),
    ...countsOf('agentSubscriptions', { from: ended.length }),
  };
}
