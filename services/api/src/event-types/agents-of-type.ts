import type { SchemaChange } from '@posthorn/contract/event-types';
import type { DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { endSubscriptions, HAS_EXPIRED } from '@posthorn/ledger/agent-subscriptions';
import { type Changes, countsOf } from '../audit/change.ts';
import { filterOf, type OfferingType } from '../mcp-events/offered-arguments.ts';
import { ApiError } from '../transport/error.ts';

/**
 * Ends the subscriptions of agents to a type that is being deleted, or throws `agents_subscribed` if that was not asked for.
 * The caller has locked the type.
 */
export async function releaseDeletedType(
  transaction: DbTransaction,
  { eventTypeId, endAgents }: { eventTypeId: string; endAgents: boolean },
): Promise<Changes> {
  const live = await liveOf(transaction, eventTypeId);
  return end(transaction, live, { endAgents, reason: 'event_type_removed' });
}

/**
 * The same for subscriptions that a change breaks: payloads may come that the agent does not expect, or its arguments are no
 * longer offered. `type` is the type after the change.
 */
export async function releaseChangedType(
  transaction: DbTransaction,
  given: { eventTypeId: string; changes: readonly SchemaChange[]; type: OfferingType; endAgents: boolean },
): Promise<Changes> {
  const { eventTypeId, changes, type, endAgents } = given;
  const live = await liveOf(transaction, eventTypeId);
  const affected = changes.some(concernsAgents) ? live : live.filter((one) => !fits(one.arguments, type));
  return end(transaction, affected, { endAgents, reason: 'schema_changed' });
}

type Live = { endpointId: string; arguments: Record<string, unknown> };

/** Expired subscriptions are ended first: nothing has swept them, and they hold the type. */
async function liveOf(transaction: DbTransaction, eventTypeId: string): Promise<Live[]> {
  const ofType = Prisma.sql`a.event_type_id = ${eventTypeId}::uuid`;
  await endSubscriptions(transaction, Prisma.sql`${ofType} and ${HAS_EXPIRED}`, { reason: 'expired' });
  return transaction.$queryRaw<Live[]>`
    select a.endpoint_id as "endpointId", a.arguments from agent_subscription a where ${ofType} and a.ended_at is null`;
}

/** A longer enum or a looser bound changes nothing for an agent; a shorter enum takes values away that it may ask for. */
function concernsAgents({ change, breaking }: SchemaChange): boolean {
  return breaking ? ['removed', 'type', 'required'].includes(change) : change === 'enum';
}

function fits(given: Record<string, unknown>, type: OfferingType): boolean {
  try {
    filterOf(given, type);
    return true;
  } catch {
    return false;
  }
}

type End = { endAgents: boolean; reason: 'event_type_removed' | 'schema_changed' };

async function end(transaction: DbTransaction, live: readonly Live[], { endAgents, reason }: End): Promise<Changes> {
  if (live.length === 0) return {};
  if (!endAgents) {
    const said = `${live.length} ${live.length === 1 ? 'subscription' : 'subscriptions'} of agents would end`;
    throw new ApiError('agents_subscribed', `${said}; endAgents=true ends them`);
  }
  const ids = live.map(({ endpointId }) => endpointId);
  await endSubscriptions(transaction, Prisma.sql`a.endpoint_id = any(${ids}::uuid[])`, { reason });
  return countsOf('agentSubscriptions', { from: live.length });
}
