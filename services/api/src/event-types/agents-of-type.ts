import type { SchemaChange } from '@posthorn/contract/event-types';
import type { Db, DbTransaction } from '@posthorn/db/client';
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

/** `type` is the type after the change. */
type TypeChange = { eventTypeId: string; changes: readonly SchemaChange[]; type: OfferingType; endAgents: boolean };

/**
 * The same for subscriptions that a change breaks: payloads may come that the agent does not expect, or its arguments are no
 * longer offered.
 */
export async function releaseChangedType(transaction: DbTransaction, given: TypeChange): Promise<Changes> {
  const broken = brokenBy(given, await liveOf(transaction, given.eventTypeId));
  return end(transaction, broken, { endAgents: given.endAgents, reason: 'schema_changed' });
}

/** Throws where `releaseChangedType` would, and ends nothing. */
export async function checkChangedType(db: Db, given: TypeChange): Promise<void> {
  const broken = brokenBy(given, await readLive(db, given.eventTypeId));
  if (!given.endAgents) refuse(broken);
}

function brokenBy({ changes, type }: TypeChange, live: readonly Live[]): readonly Live[] {
  return changes.some(concernsAgents) ? live : live.filter((one) => !fits(one.arguments, type));
}

type Live = { endpointId: string; arguments: Record<string, unknown> };

const ofType = (eventTypeId: string) => Prisma.sql`a.event_type_id = ${eventTypeId}::uuid`;

/** Expired subscriptions are ended first: nothing has swept them, and they hold the type. */
async function liveOf(transaction: DbTransaction, eventTypeId: string): Promise<Live[]> {
  const expired = Prisma.sql`${ofType(eventTypeId)} and ${HAS_EXPIRED}`;
  await endSubscriptions(transaction, expired, { reason: 'expired' });
  return readLive(transaction, eventTypeId);
}

function readLive(db: Pick<Db, '$queryRaw'>, eventTypeId: string): Promise<Live[]> {
  return db.$queryRaw<Live[]>`
    select a.endpoint_id as "endpointId", a.arguments from agent_subscription a
    where ${ofType(eventTypeId)} and a.ended_at is null and not ${HAS_EXPIRED}`;
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
  if (!endAgents) refuse(live);
  const ids = live.map(({ endpointId }) => endpointId);
  await endSubscriptions(transaction, Prisma.sql`a.endpoint_id = any(${ids}::uuid[])`, { reason });
  return countsOf('agentSubscriptions', { from: live.length });
}

function refuse(live: readonly Live[]): void {
  if (live.length === 0) return;
  const said = `${live.length} ${live.length === 1 ? 'subscription' : 'subscriptions'} of agents would end`;
  throw new ApiError('agents_subscribed', `${said}; endAgents=true ends them`);
}
