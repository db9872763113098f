import type { SchemaChange } from '@posthorn/contract/event-types';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import { endSubscriptions, HAS_EXPIRED } from '@posthorn/ledger/agent-subscriptions';
import { createGiveWay } from '@posthorn/runtime/give-way';
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
  await endExpired(transaction, eventTypeId);
  const live = await readLive(transaction, eventTypeId);
  return end(transaction, live, { endAgents, reason: 'event_type_removed' });
}

/** `type` is the type after the change. */
type TypeChange = { eventTypeId: string; changes: readonly SchemaChange[]; type: OfferingType; endAgents: boolean };

/**
 * The same for subscriptions that a change breaks: payloads may come that the agent does not expect, or its arguments are no
 * longer offered.
 */
export async function releaseChangedType(transaction: DbTransaction, given: TypeChange): Promise<Changes> {
  await endExpired(transaction, given.eventTypeId);
  const broken = await readBroken(transaction, given);
  return end(transaction, broken, { endAgents: given.endAgents, reason: 'schema_changed' });
}

/** Throws where `releaseChangedType` would, and ends nothing. */
export async function checkChangedType(db: Db, given: TypeChange): Promise<void> {
  const broken = await readBroken(db, given);
  if (!given.endAgents) refuse(broken);
}

function readBroken(db: Reads, { eventTypeId, changes, type }: TypeChange): Promise<string[]> {
  return readLive(db, eventTypeId, changes.some(concernsAgents) ? undefined : (given) => !fits(given, type));
}

type Reads = Pick<Db, '$queryRaw'>;
type Arguments = Record<string, unknown>;

const ofType = (eventTypeId: string) => Prisma.sql`a.event_type_id = ${eventTypeId}::uuid`;

/** Expired subscriptions are ended first: nothing has swept them, and they hold the type. */
async function endExpired(transaction: DbTransaction, eventTypeId: string): Promise<void> {
  const expired = Prisma.sql`${ofType(eventTypeId)} and ${HAS_EXPIRED}`;
  await endSubscriptions(transaction, expired, { reason: 'expired' });
}

const PAGE = 1_000;

/**
 * The endpoints of the live subscriptions, or of those whose arguments are wanted. A type may have many thousands, so
 * they are read in pages, and other work of the process runs in between.
 */
async function readLive(
  db: Reads,
  eventTypeId: string,
  isWanted: (given: Arguments) => boolean = () => true,
): Promise<string[]> {
  const wanted: string[] = [];
  const giveWay = createGiveWay();
  for (let after = NIL_UUID; ; ) {
    const page = await db.$queryRaw<{ endpointId: string; arguments: Arguments }[]>`
      select a.endpoint_id as "endpointId", a.arguments from agent_subscription a
      where ${ofType(eventTypeId)} and a.ended_at is null and not ${HAS_EXPIRED} and a.endpoint_id > ${after}::uuid
      order by a.endpoint_id limit ${PAGE}::int`;
    for (const one of page) {
      if (isWanted(one.arguments)) wanted.push(one.endpointId);
      await giveWay();
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return wanted;
    after = last.endpointId;
  }
}

/** A longer enum or a looser bound changes nothing for an agent; a shorter enum takes values away that it may ask for. */
function concernsAgents({ change, breaking }: SchemaChange): boolean {
  return breaking ? ['removed', 'type', 'required'].includes(change) : change === 'enum';
}

function fits(given: Arguments, type: OfferingType): boolean {
  try {
    filterOf(given, type);
    return true;
  } catch {
    return false;
  }
}

type End = { endAgents: boolean; reason: 'event_type_removed' | 'schema_changed' };

async function end(transaction: DbTransaction, live: string[], { endAgents, reason }: End): Promise<Changes> {
  if (live.length === 0) return {};
  if (!endAgents) refuse(live);
  await endSubscriptions(transaction, Prisma.sql`a.endpoint_id = any(${live}::uuid[])`, { reason });
  return countsOf('agentSubscriptions', { from: live.length });
}

function refuse(live: readonly string[]): void {
  if (live.length === 0) return;
  const said = `${live.length} ${live.length === 1 ? 'subscription' : 'subscriptions'} of agents would end`;
  throw new ApiError('agents_subscribed', `${said}; endAgents=true ends them`);
}
