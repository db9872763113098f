import type { Db, DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt, NIL_UUID } from '@posthorn/db/uuid-range';
import { deliveriesOfEvents, type EndedByErasure, eraseDeliveries, erasePayloads } from '@posthorn/ledger/erase';
import type { Clock } from '@posthorn/runtime/clock';

const WORKSPACES_AT_ONCE = 500;
/** A page takes some tens of milliseconds. */
const EVENTS_AT_ONCE = 200;
/** The pages of a workspace in a round: a workspace with many events delays others only so long. */
const PAGES_AT_ONCE = 50;
const HOUR_MS = 3_600_000;

type Options = {
  clock: Pick<Clock, 'now'>;
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
    for (const { id, hours } of workspaces) {
      const end = lowestKeyAt(new Date(options.clock.now().getTime() - hours * HOUR_MS));
      const erased = await eraseOfWorkspace(db, { workspaceId: id, end }, options);
      result.events += erased.events;
      result.hasMore ||= erased.hasMore;
    }
    const last = workspaces.at(-1);
    if (last === undefined || workspaces.length < WORKSPACES_AT_ONCE) return result;
    after = last.id;
  }
}

async function eraseOfWorkspace(
  db: Db,
  { workspaceId, end }: { workspaceId: string; end: string },
  { onEnded, stopped }: Options,
): Promise<{ events: number; hasMore: boolean }> {
  let events = 0;
  for (let pages = 0; pages < PAGES_AT_ONCE && !stopped?.aborted; pages += 1) {
    const page = await inTransaction(db, (transaction) => erasePage(transaction, workspaceId, end));
    if (page === undefined) return { events, hasMore: false };
    onEnded(page.ended.map((one) => ({ ...one, workspaceId })));
    events += page.events;
    if (page.isLast) return { events, hasMore: false };
  }
  return { events, hasMore: true };
}

/** Undefined when another process erases payloads of this workspace. */
async function erasePage(transaction: DbTransaction, workspaceId: string, end: string) {
  await transaction.payloadRetention.createMany({ data: { workspaceId, erasedTo: NIL_UUID }, skipDuplicates: true });
  const [state] = await transaction.$queryRaw<{ erasedTo: string }[]>`
    select erased_to as "erasedTo" from payload_retention where workspace_id = ${workspaceId}::uuid
    for update skip locked`;
  if (state === undefined) return undefined;
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    select id from event where workspace_id = ${workspaceId}::uuid and id > ${state.erasedTo}::uuid and id < ${end}::uuid
    order by id limit ${EVENTS_AT_ONCE}::int`;
  const eventIds = rows.map(({ id }) => id);
  const of = { workspaceId, eventIds, after: NIL_UUID };
  const { deliveryIds, next } = await deliveriesOfEvents(transaction, of, 'with_content');
  await erasePayloads(transaction, eventIds);
  const { ended } = await eraseDeliveries(transaction, deliveryIds, 'payload_expired');
  // The same events have more deliveries: the next page finds those that still have content.
  if (next !== undefined) return { events: 0, ended, isLast: false };
  const erasedTo = eventIds.at(-1);
  if (erasedTo !== undefined) {
    await transaction.payloadRetention.update({ where: { workspaceId }, data: { erasedTo } });
  }
  return { events: eventIds.length, ended, isLast: eventIds.length < EVENTS_AT_ONCE };
}
