import { uuidTime } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt, NIL_UUID } from '@posthorn/db/uuid-range';
import { deliveriesOfEvents, type EndedByErasure, eraseDeliveries, erasePayloads } from '@posthorn/ledger/erase';
import type { Clock } from '@posthorn/runtime/clock';
import { forgetAnswersAbout } from './forget-answers.ts';

const WORKSPACES_AT_ONCE = 500;
/**
 * The events of a page, which takes some tens of milliseconds. Each event is read, with its deliveries up to a page.
 */
const EVENTS_AT_ONCE = 50;
/**
 * The most pages of an owner in a round, which limits the delay for others if an owner has many events or workspaces.
 */
const PAGES_OF_OWNER = 50;
const HOUR_MS = 3_600_000;

type Options = {
  clock: Clock;
  /** Called with the open deliveries that ended, at most 250 at a time. */
  onEnded: (ended: readonly (EndedByErasure & { workspaceId: string })[]) => void;
  stopped?: AbortSignal | undefined;
};

/**
 * Erases the payloads of workspaces whose own retention is over, with the requests and responses of attempts, and ends
 * their open deliveries. Owners take turns, a page each, and so do their workspaces, the one that is furthest behind
 * first. Returns the number of events, and whether there is more. Concurrent calls are safe: a workspace that another
 * process is working on is skipped.
 */
export async function eraseExpiredPayloads(db: Db, options: Options): Promise<{ events: number; hasMore: boolean }> {
  const round: Round = { events: 0, hasMore: false, pagesOf: new Map() };
  for (let after = NIL_UUID; ; ) {
    const workspaces = await db.$queryRaw<{ id: string; ownerId: string; hours: number }[]>`
      select id, coalesce(created_by, id) as "ownerId", least(payload_retention_hours, retention_hours) as hours from workspace
      where (payload_retention_hours is not null or retention_hours is not null) and id > ${after}::uuid
      order by id limit ${WORKSPACES_AT_ONCE}::int`;
    const ends = workspaces.map(({ id: workspaceId, ownerId, hours }) => {
      return { workspaceId, ownerId, end: lowestKeyAt(new Date(options.clock.now().getTime() - hours * HOUR_MS)) };
    });
    await eraseInTurns(db, { expired: await withExpired(db, ends), round }, options);
    const last = workspaces.at(-1);
    if (last === undefined || workspaces.length < WORKSPACES_AT_ONCE) return round;
    after = last.id;
  }
}

/** `end`: events from this key on are kept. */
type Ends = { workspaceId: string; ownerId: string; end: string };

type Round = {
  events: number;
  hasMore: boolean;
  /** The number of pages that each owner has had. */
  pagesOf: Map<string, number>;
};

/**
 * The workspaces among these that have something to erase, the one furthest behind first. One statement covers all
 * workspaces.
 */
async function withExpired(db: Db, workspaces: readonly Ends[]): Promise<Ends[]> {
  const expired = await db.$queryRaw<(Ends & { oldest: string })[]>`
    select w.id as "workspaceId", w.owner_id as "ownerId", w.end_key as "end", oldest.id as oldest
    from unnest(${workspaces.map(({ workspaceId }) => workspaceId)}::uuid[],
      ${workspaces.map(({ ownerId }) => ownerId)}::uuid[], ${workspaces.map(({ end }) => end)}::uuid[])
      as w(id, owner_id, end_key)
    left join payload_retention r on r.workspace_id = w.id
    cross join lateral (select e.id from event e where e.workspace_id = w.id
      and e.id > coalesce(r.erased_to, ${NIL_UUID}::uuid) and e.id < w.end_key order by e.id limit 1) oldest`;
  const behindMs = ({ end, oldest }: { end: string; oldest: string }) =>
    uuidTime(end).getTime() - uuidTime(oldest).getTime();
  return expired.sort((one, other) => behindMs(other) - behindMs(one));
}

async function eraseInTurns(
  db: Db,
  { expired, round }: { expired: readonly Ends[]; round: Round },
  { onEnded, stopped }: Options,
): Promise<void> {
  const waiting = new Map<string, (Ends & { after: string })[]>();
  for (const one of expired) {
    waiting.set(one.ownerId, [...(waiting.get(one.ownerId) ?? []), { ...one, after: NIL_UUID }]);
  }
  // An owner with more to erase is added after the others, where the loop reaches it again.
  for (const [ownerId, [next, ...others]] of waiting) {
    waiting.delete(ownerId);
    if (next === undefined) continue;
    const pages = round.pagesOf.get(ownerId) ?? 0;
    if (pages >= PAGES_OF_OWNER || stopped?.aborted) {
      round.hasMore = true;
      continue;
    }
    round.pagesOf.set(ownerId, pages + 1);
    const page = await inTransaction(db, (transaction) => erasePage(transaction, next));
    onEnded((page?.ended ?? []).map((one) => ({ ...one, workspaceId: next.workspaceId })));
    round.events += page?.events ?? 0;
    const isDone = page === undefined || page.isLast;
    waiting.set(ownerId, isDone ? others : [...others, { ...next, after: page.after }]);
  }
}

type Page = { workspaceId: string; end: string; after: string };

/**
 * Undefined if another process is erasing payloads of this workspace. Up to the key `after`, no delivery has content to
 * erase.
 */
async function erasePage(transaction: DbTransaction, { workspaceId, end, after }: Page) {
  await transaction.payloadRetention.createMany({ data: { workspaceId, erasedTo: NIL_UUID }, skipDuplicates: true });
  const [state] = await transaction.$queryRaw<{ erasedTo: string }[]>`
    select erased_to as "erasedTo" from payload_retention where workspace_id = ${workspaceId}::uuid
    for update skip locked`;
  if (state === undefined) return undefined;
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    select id from event where workspace_id = ${workspaceId}::uuid and id > ${state.erasedTo}::uuid and id < ${end}::uuid
    order by id limit ${EVENTS_AT_ONCE}::int`;
  const eventIds = rows.map(({ id }) => id);
  const of = { workspaceId, eventIds, after };
  const { deliveryIds, next } = await deliveriesOfEvents(transaction, of, 'with_content');
  await erasePayloads(transaction, eventIds);
  await forgetAnswersAbout(transaction, of);
  const { ended } = await eraseDeliveries(transaction, deliveryIds, 'payload_expired');
  // The same events have more deliveries. Another process would look for those that still have content.
  if (next !== undefined) return { events: 0, ended, after: next, isLast: false };
  const erasedTo = eventIds.at(-1);
  if (erasedTo !== undefined) {
    await transaction.payloadRetention.update({ where: { workspaceId }, data: { erasedTo } });
  }
  return { events: eventIds.length, ended, after: NIL_UUID, isLast: eventIds.length < EVENTS_AT_ONCE };
}
