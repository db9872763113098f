import type { Db, DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt, NIL_UUID } from '@posthorn/db/uuid-range';
import { deliveriesOfEvents, type EndedByErasure, eraseDeliveries, erasePayloads } from '@posthorn/ledger/erase';
import type { Clock } from '@posthorn/runtime/clock';
import { forgetAnswersAbout } from './forget-answers.ts';

const WORKSPACES_AT_ONCE = 500;
/** A page takes some tens of milliseconds. Each event is read for it, up to the deliveries of a page. */
const EVENTS_AT_ONCE = 50;
/** The pages of a workspace in a round: a workspace with many events delays others only so long. */
const PAGES_AT_ONCE = 50;
const HOUR_MS = 3_600_000;

type Options = {
  clock: Clock;
  /** Called with the open deliveries that ended, at most 250 at a time. */
  onEnded: (ended: readonly (EndedByErasure & { workspaceId: string })[]) => void;
  stopped?: AbortSignal | undefined;
};

/**
 * Erases the payloads of workspaces whose own retention is over, with what attempts sent and got, and ends their open
 * deliveries. Returns the number of events, and whether a workspace has more. Concurrent calls are safe: a workspace that
 * another process moves on is skipped.
 */
export async function eraseExpiredPayloads(db: Db, options: Options): Promise<{ events: number; hasMore: boolean }> {
  const result = { events: 0, hasMore: false };
  for (let after = NIL_UUID; ; ) {
    const workspaces = await db.$queryRaw<{ id: string; hours: number }[]>`
      select id, least(payload_retention_hours, retention_hours) as hours from workspace
      where (payload_retention_hours is not null or retention_hours is not null) and id > ${after}::uuid
      order by id limit ${WORKSPACES_AT_ONCE}::int`;
    const ends = workspaces.map(({ id: workspaceId, hours }) => {
      return { workspaceId, end: lowestKeyAt(new Date(options.clock.now().getTime() - hours * HOUR_MS)) };
    });
    for (const workspace of await withExpired(db, ends)) {
      const erased = await eraseOfWorkspace(db, workspace, options);
      result.events += erased.events;
      result.hasMore ||= erased.hasMore;
    }
    const last = workspaces.at(-1);
    if (last === undefined || workspaces.length < WORKSPACES_AT_ONCE) return result;
    after = last.id;
  }
}

/** `end`: the events from this key on are kept. */
type Ends = { workspaceId: string; end: string };

/** Of these workspaces, those that have something to erase: all others together cost one statement. */
function withExpired(db: Db, workspaces: readonly Ends[]): Promise<Ends[]> {
  return db.$queryRaw<Ends[]>`
    select w.id as "workspaceId", w.end_key as "end"
    from unnest(${workspaces.map(({ workspaceId }) => workspaceId)}::uuid[], ${workspaces.map(({ end }) => end)}::uuid[])
      as w(id, end_key)
    left join payload_retention r on r.workspace_id = w.id
    where exists (select from event e where e.workspace_id = w.id
      and e.id > coalesce(r.erased_to, ${NIL_UUID}::uuid) and e.id < w.end_key)
    order by w.id`;
}

async function eraseOfWorkspace(
  db: Db,
  { workspaceId, end }: Ends,
  { onEnded, stopped }: Options,
): Promise<{ events: number; hasMore: boolean }> {
  let events = 0;
  let after = NIL_UUID;
  for (let pages = 0; pages < PAGES_AT_ONCE && !stopped?.aborted; pages += 1) {
    const page = await inTransaction(db, (transaction) => erasePage(transaction, { workspaceId, end, after }));
    if (page === undefined) return { events, hasMore: false };
    onEnded(page.ended.map((one) => ({ ...one, workspaceId })));
    events += page.events;
    after = page.after;
    if (page.isLast) return { events, hasMore: false };
  }
  return { events, hasMore: true };
}

type Page = { workspaceId: string; end: string; after: string };

/**
 * Undefined when another process erases payloads of this workspace. No delivery up to the key `after` has content that is
 * to be erased.
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
