import type { Dialect } from '@posthorn/contract/agents';
import { Prisma } from '@posthorn/db/generated/client';
import { endSubscriptions } from '@posthorn/ledger/agent-subscriptions';
import type { WorkspaceContext } from '../operation/context.ts';
import type { Agent } from './agent.ts';
import { EventsError } from './events-error.ts';
import { identityOf } from './identity.ts';
import { normalForm } from './subscribe.ts';
import { readUnsubscribe } from './subscribe-params.ts';

/**
 * Ends the subscription that an equal subscribe has made: no attempt begins after the answer. One that is unknown or has
 * ended is an error only in the dialect of the extension.
 */
export async function unsubscribe(
  ctx: WorkspaceContext,
  agent: Agent,
  params: unknown,
  dialect: Dialect,
): Promise<Record<string, never>> {
  const given = readUnsubscribe(params);
  const identity = identityOf({ ...agent, ...given, url: normalForm(given.url) });
  const { applicationId, environmentId } = agent;
  const hasEnded = await ctx.change('agent_subscription.ended', async (transaction) => {
    const live = Prisma.sql`a.identity = ${identity}::text and a.expires_at > now()`;
    const [ended] = await endSubscriptions(transaction, live, { reason: 'unsubscribed' });
    if (ended === undefined) return { result: false, entry: null };
    const changes = { eventType: { from: given.name, to: null }, endReason: { from: null, to: 'unsubscribed' } };
    // It counts as no change: the limit of changes must not keep a subscription alive.
    return { result: true, entry: { resourceId: identity, changes, applicationId, environmentId, countsAs: 0 } };
  });
  if (!hasEnded && dialect === 'sep') {
    throw new EventsError('not_found', 'There is no such subscription', { kind: 'subscription' });
  }
  return {};
}
