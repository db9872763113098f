import { chosenInTurns } from '@posthorn/db/chosen-in-turns';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { inTransaction } from '@posthorn/db/transaction';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import { eventAgeSeconds } from './claim.ts';
import { deliveryIdsOf } from './delivery-id.ts';
import { deliveriesOfEvents, type EndedByErasure, eraseDeliveries, erasePayloads } from './erase.ts';

// Events whose type keeps a payload only as long as it is needed (docs/interface.md, Retention).

/**
 * Notes the events whose type keeps no payload for long. Call it before their deliveries are created, so that
 * no delivery is attempted without the note. It asks the types themselves: a cached route may have another retention.
 */
export async function noteShortPayloads(
  db: Db,
  events: readonly { eventId: string; workspaceId: string; eventType: string }[],
): Promise<void> {
  if (events.length === 0) return;
  await db.$executeRaw`
    insert into short_payload (event_id, workspace_id, has_one_attempt)
    select e.event_id, e.workspace_id, t.payload_retention = 'none' from unnest(
      ${events.map((event) => event.eventId)}::uuid[], ${events.map((event) => event.workspaceId)}::uuid[],
      ${events.map((event) => event.eventType)}::text[]) as e(event_id, workspace_id, event_type)
    join event_type t on t.workspace_id = e.workspace_id and t.name = e.event_type
      and t.payload_retention in ('until_ended', 'none')
    where exists (select from pending_fan_out w where w.event_id = e.event_id)
    order by e.event_id
    on conflict (event_id) do update set has_one_attempt = excluded.has_one_attempt`;
}

const EVENTS_AT_ONCE = 100;
/**
 * An event that still needs its payload is checked again after an eighth of its age, within these limits, so that a
 * backlog of old dead letters costs little.
 */
const AGAIN = { share: 1 / 8, leastSeconds: 1, mostSeconds: 3_600 };

export type ErasedShortPayloads = { erased: number; isLast: boolean };

/**
 * Erases payloads that no delivery needs any more, with the requests and responses of attempts, for at most 100 events
 * whose time has come. Owners of workspaces take turns. Concurrent calls are safe, because each takes other events.
 */
export async function eraseShortPayloads(
  db: Db,
  onEnded: (ended: readonly (EndedByErasure & { workspaceId: string })[]) => void,
): Promise<ErasedShortPayloads> {
  const due = await takeDue(db);
  let erased = 0;
  for (const event of due) {
    if (event.isNeeded) continue;
    onEnded(await eraseOne(db, event));
    erased += 1;
  }
  return { erased, isLast: due.length < EVENTS_AT_ONCE };
}

type ShortPayload = { eventId: string; workspaceId: string; hasOneAttempt: boolean };
type DueEvent = ShortPayload & { isNeeded: boolean };

/** The due events, and whether each still needs its payload. All are deferred, in case this process ends meanwhile. */
async function takeDue(db: Db): Promise<DueEvent[]> {
  const again = Prisma.sql`greatest(${AGAIN.leastSeconds}::float8,
    least(${AGAIN.mostSeconds}::float8, ${AGAIN.share}::float8 * ${eventAgeSeconds('s.event_id')}))`;
  const due = await db.$queryRaw<ShortPayload[]>`
    with recursive ${chosenInTurns('short_payload', { ofOwner: EVENTS_AT_ONCE, most: EVENTS_AT_ONCE })}
    update short_payload s set due_at = now() + make_interval(secs => ${again}) from chosen c where s.event_id = c.event_id
    returning s.event_id as "eventId", s.workspace_id as "workspaceId", s.has_one_attempt as "hasOneAttempt"`;
  const needed = await findNeeded(db, due);
  return due.map((event) => ({ ...event, isNeeded: needed.has(event.eventId) }));
}

/** The given events that wait for their fan-out, or have a delivery that may be attempted again. */
async function findNeeded(db: Db, events: readonly ShortPayload[]): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const ranges = events.map(({ eventId }) => deliveryIdsOf(eventId));
  const rows = await db.$queryRaw<{ id: string }[]>`
    select s.id from unnest(${events.map((event) => event.eventId)}::uuid[],
      ${events.map((event) => event.workspaceId)}::uuid[], ${events.map((event) => event.hasOneAttempt)}::bool[],
      ${ranges.map(({ lowest }) => lowest)}::uuid[], ${ranges.map(({ highest }) => highest)}::uuid[])
      as s(id, workspace_id, has_one_attempt, lowest, highest)
    where exists (select from pending_fan_out w where w.event_id = s.id) or exists (
      select from delivery d where d.workspace_id = s.workspace_id and d.id between s.lowest and s.highest
        and d.event_id = s.id and (d.status in ('pending', 'scheduled_retry', 'delivering')
          or (d.status = 'dead_letter' and not s.has_one_attempt)))`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Erases an event, its deliveries page by page. The note is deleted last, so that another process continues if this one
 * ends.
 */
async function eraseOne(db: Db, { eventId, workspaceId }: ShortPayload) {
  const ended: (EndedByErasure & { workspaceId: string })[] = [];
  for (let after: string | undefined = NIL_UUID; after !== undefined; ) {
    const page = { workspaceId, eventIds: [eventId], after };
    after = await inTransaction(db, async (transaction: DbTransaction) => {
      await erasePayloads(transaction, [eventId]);
      const { deliveryIds, next } = await deliveriesOfEvents(transaction, page, 'with_content');
      const result = await eraseDeliveries(transaction, deliveryIds, 'payload_expired');
      ended.push(...result.ended.map((one) => ({ ...one, workspaceId })));
      if (next === undefined) await transaction.shortPayload.deleteMany({ where: { eventId } });
      return next;
    });
  }
  return ended;
}
