import { chosenInTurns } from '@posthorn/db/chosen-in-turns';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { among, NIL_UUID } from '@posthorn/db/uuid-range';
import { IS_ERASED } from './claimed-event.ts';
import { deliveryIdsOf } from './delivery-id.ts';
import { endWaiting } from './end-waiting.ts';
import { LOCKS_ARE_TAKEN, locksOfChosen } from './ordering.ts';

// The content of an event is its payload, the faults that its schema found, the reasons of transformations that
// cancelled it, and the headers, bodies and errors of its attempts. Erasing keeps the rows, so that lists, statistics
// and counts do not change.

/** Each delivery may take the lock of its order, and the number of Postgres' locks is limited. */
const DELIVERIES_AT_ONCE = 250;
/**
 * An attempt in progress stores its response after its delivery was cancelled, or after another process took the
 * delivery over. No lease of a dispatcher is longer than this. A consumer that fetches cannot answer any more.
 */
const ERASE_AGAIN_AFTER_SECONDS = 120;

/** The URL that the endpoints of an erased customer get. */
export const ERASED_URL = 'https://erased.invalid/';

/** Condition on an attempt: it still has content. */
const HAS_CONTENT = Prisma.sql`(request_headers::text <> '{}' or request_body is not null
  or response_headers_sealed is not null or response_body_sealed is not null or response_headers is not null
  or response_body is not null or error_message is not null or acknowledgement is not null)`;

/** An open delivery that an erasure ended. */
export type EndedByErasure = {
  deliveryId: string;
  eventType: string | null;
  endpointId: string;
  orderingKey: string | null;
  isTest: boolean;
};

/** Why open deliveries end. */
export type ErasureReason = 'cancelled' | 'payload_expired';

/**
 * The next deliveries of these events after the key `after`, in key order: at most 250. If there are fewer, they are
 * the last. With `endpointIds`, only deliveries to these endpoints. `with_content` leaves out those that have been
 * erased. It reads no more deliveries of an event than it may return.
 */
export async function deliveriesOfEvents(
  transaction: Pick<DbTransaction, '$queryRaw'>,
  {
    workspaceId,
    eventIds,
    after,
    endpointIds,
  }: { workspaceId: string; eventIds: readonly string[]; after: string; endpointIds?: readonly string[] },
  which: 'all' | 'with_content' = 'all',
): Promise<{ deliveryIds: string[]; next: string | undefined }> {
  const ranges = eventIds.map(deliveryIdsOf);
  const toEndpoints =
    endpointIds === undefined ? Prisma.empty : Prisma.sql`and d.endpoint_id = any(${[...endpointIds]}::uuid[])`;
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    select d.id from unnest(${eventIds}::uuid[], ${ranges.map(({ lowest }) => lowest)}::uuid[],
      ${ranges.map(({ highest }) => highest)}::uuid[]) as e(id, lowest, highest)
    cross join lateral (
      select d.id from delivery d where d.workspace_id = ${workspaceId}::uuid and d.id between e.lowest and e.highest
        and d.id > ${after}::uuid and d.event_id = e.id ${toEndpoints}
        and (${which === 'all'}::bool or d.status in ('pending', 'scheduled_retry', 'delivering')
          or d.cancel_reason is not null or exists (
          select from attempt a where a.delivery_id = d.id and ${HAS_CONTENT}))
      order by d.id limit ${DELIVERIES_AT_ONCE}::int) d
    order by d.id limit ${DELIVERIES_AT_ONCE}::int`;
  const deliveryIds = rows.map(({ id }) => id);
  return { deliveryIds, next: deliveryIds.length === DELIVERIES_AT_ONCE ? deliveryIds.at(-1) : undefined };
}

/**
 * Ends the open deliveries among these, at most 250, and erases the content of their attempts. An attempt in progress
 * loses its lease, and what it stores is erased later (`eraseAgain`). A consumer can no longer answer an ended lease.
 */
export async function eraseDeliveries(
  transaction: DbTransaction,
  deliveryIds: readonly string[],
  reason: ErasureReason,
): Promise<{ ended: EndedByErasure[]; attempts: number }> {
  if (deliveryIds.length === 0) return { ended: [], attempts: 0 };
  const ended = await transaction.$queryRaw<(EndedByErasure & { wasOpen: boolean })[]>`
    with ${locksOfChosen(among('id', deliveryIds))},
    before as (
      select id, event_id, workspace_id, endpoint_id, status, updated_at from delivery
      where ${among('id', deliveryIds)} and ${LOCKS_ARE_TAKEN} order by id for update),
    again as (
      insert into erased_event as a (event_id, workspace_id, again_at, endpoint_ids)
      select event_id, workspace_id, now() + make_interval(secs => ${ERASE_AGAIN_AFTER_SECONDS}::int), array_agg(endpoint_id)
      from before
      where status = 'delivering' or updated_at > now() - make_interval(secs => ${ERASE_AGAIN_AFTER_SECONDS}::int)
      group by event_id, workspace_id order by event_id
      on conflict (event_id) do update set again_at = excluded.again_at, workspace_id = excluded.workspace_id, endpoint_ids =
        case when a.endpoint_ids = '{}' then '{}' else array(
          select distinct unnest(a.endpoint_ids || excluded.endpoint_ids)) end),
    unanswerable as (
      update delivery d set lease_token = null from before b
      where ${among('d.id', deliveryIds)} and d.id = b.id and d.lease_token is not null
        and d.status not in ('pending', 'scheduled_retry', 'delivering'))
    update delivery d set status = 'failed', failure_reason = ${reason}::text, due_at = null, lease_token = null,
      leased_until = null, generation = d.generation + 1, updated_at = now()
    from before b
    where ${among('d.id', deliveryIds)} and d.id = b.id and d.status in ('pending', 'scheduled_retry', 'delivering')
    returning d.id as "deliveryId", d.event_type as "eventType", d.endpoint_id as "endpointId",
      d.ordering_key as "orderingKey", d.is_test as "isTest"`;
  return { ended, attempts: await eraseAttempts(transaction, deliveryIds) };
}

/** Erases the payloads of these events. Returns how many events had one. */
export async function erasePayloads(transaction: DbTransaction, eventIds: readonly string[]): Promise<number> {
  if (eventIds.length === 0) return 0;
  const [row] = await transaction.$queryRaw<{ erased: number }[]>`
    with erased as (
      update event set payload = null, schema_errors = null where ${among('id', eventIds)} and payload is not null
      returning id, environment_id, idempotency_key),
    forgotten as (
      update idempotency_record set schema_errors = null
      where ctid = any(array(${keysOf(Prisma.sql`erased`)} where k.schema_errors is not null)))
    select count(*)::int as erased from erased`;
  return row?.erased ?? 0;
}

/**
 * Forgets the producers' names for these events, so that a repeated request is a new event. Their deliveries have
 * ended, so no order depends on the names.
 */
export async function eraseNames(transaction: DbTransaction, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return;
  await transaction.$executeRaw`
    with named as materialized (select id, environment_id, idempotency_key from event where ${among('id', eventIds)})
    delete from idempotency_record where ctid = any(array(${keysOf(Prisma.sql`named`)}))`;
  await transaction.event.updateMany({
    where: { id: { in: [...eventIds] } },
    data: { idempotencyKey: null, orderingKey: null },
  });
}

/**
 * The rows of `idempotency_record` of events, by ctid. Postgres finds each by its key: with a join it might read the
 * whole table. A key may belong to a later event by now.
 */
function keysOf(events: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`select k.ctid from ${events} e cross join lateral (
    select ctid, schema_errors from idempotency_record
    where environment_id = e.environment_id and key = e.idempotency_key and event_id = e.id offset 0) k`;
}

/**
 * Ends the wait of events for their time or their fan-out. They are cancelled, unless they have a delivery. Returns how
 * many waited.
 */
export async function eraseWaiting(
  transaction: DbTransaction,
  { workspaceId, eventIds }: { workspaceId: string; eventIds: readonly string[] },
): Promise<number> {
  if (eventIds.length === 0) return 0;
  const waiting = (await endWaiting(transaction, eventIds)).map(({ eventId }) => eventId);
  if (waiting.length === 0) return 0;
  const ranges = waiting.map(deliveryIdsOf);
  await transaction.$executeRaw`
    insert into cancelled_event (event_id, workspace_id)
    select w.id, ${workspaceId}::uuid from unnest(${waiting}::uuid[], ${ranges.map(({ lowest }) => lowest)}::uuid[],
      ${ranges.map(({ highest }) => highest)}::uuid[]) as w(id, lowest, highest)
    where not exists (select from delivery d where d.workspace_id = ${workspaceId}::uuid
      and d.id between w.lowest and w.highest and d.event_id = w.id)
    on conflict do nothing`;
  return waiting.length;
}

/**
 * The next deliveries to an endpoint, in key order, at most 250, and which of their events were sent to it directly.
 */
export async function deliveriesToErase(
  transaction: DbTransaction,
  {
    endpointId,
    after,
    end,
    eventTypes,
  }: { endpointId: string; after: string; end: string; eventTypes?: readonly string[] },
): Promise<{ deliveryIds: string[]; directEventIds: string[]; next: string | undefined }> {
  const rows = await transaction.$queryRaw<{ id: string; directEventId: string | null; isSelected: boolean }[]>`
    select d.id, e.id as "directEventId", ${eventTypes === undefined}::bool
      or coalesce(d.event_type = any(${[...(eventTypes ?? [])]}::text[]), false) as "isSelected"
    from (select id, event_id, event_type from delivery
      where endpoint_id = ${endpointId}::uuid and id > ${after}::uuid and id < ${end}::uuid
      order by id limit ${DELIVERIES_AT_ONCE}::int) d
    left join lateral (
      select id from event where id = d.event_id and endpoint_id = ${endpointId}::uuid offset 0) e on true
    order by d.id`;
  const selected = rows.filter(({ isSelected }) => isSelected);
  return {
    deliveryIds: selected.map(({ id }) => id),
    directEventIds: selected.flatMap(({ directEventId }) => directEventId ?? []),
    next: rows.length === DELIVERIES_AT_ONCE ? rows.at(-1)?.id : undefined,
  };
}

/**
 * The next events with an ordering key that were sent directly to an endpoint, in key order, and are not erased. It reads
 * at most 250 events, erased or not. A scheduled event has no delivery before its time. With `isWhole`, an event without
 * a payload counts as erased only if its key is erased, too.
 */
export async function orderedDirectEvents(
  transaction: DbTransaction,
  { endpointId, after, end, isWhole }: { endpointId: string; after: string; end: string; isWhole: boolean },
): Promise<{ eventIds: string[]; next: string | undefined }> {
  const rows = await transaction.$queryRaw<{ id: string; isSelected: boolean }[]>`
    select id, payload is not null or ${isWhole}::bool as "isSelected" from event
    where endpoint_id = ${endpointId}::uuid and ordering_key is not null and id > ${after}::uuid and id < ${end}::uuid
    order by id limit ${DELIVERIES_AT_ONCE}::int`;
  return {
    eventIds: rows.flatMap(({ id, isSelected }) => (isSelected ? [id] : [])),
    next: rows.length === DELIVERIES_AT_ONCE ? rows.at(-1)?.id : undefined,
  };
}

/**
 * Erases the content of attempts of these deliveries, and the reasons why they were cancelled. Returns the number of
 * attempts that had content. A transformation may have put a part of the payload into the URL: if a URL is not the
 * endpoint's own, only its origin stays. Of a URL of an erased customer, nothing stays.
 */
function eraseAttempts(
  transaction: Pick<DbTransaction, '$executeRaw'>,
  deliveryIds: readonly string[],
): Promise<number> {
  const sorted = [...deliveryIds].sort();
  return transaction.$executeRaw`
    with forgotten as (
      update delivery set cancel_reason = null where ${among('id', sorted)} and cancel_reason is not null)
    update attempt a set request_headers = '{}', request_body = null, response_headers_sealed = null,
      response_body_sealed = null, response_headers = null, response_body = null, error_message = null,
      acknowledgement = null, url = case p.url when ${ERASED_URL} then '' when a.url then a.url
        else coalesce(substring(a.url from '^[a-z]+://[^/?#]+'), '') || '/' end,
      remote_address = case when p.url <> ${ERASED_URL} then a.remote_address end
    from delivery d join endpoint p on p.id = d.endpoint_id
    where a.delivery_id = any(${sorted}::uuid[]) and a.delivery_id between ${sorted[0]}::uuid and ${sorted.at(-1)}::uuid
      and ${among('d.id', sorted)} and d.id = a.delivery_id
      and (${HAS_CONTENT} or p.url = ${ERASED_URL} and a.url <> '')`;
}

/**
 * Erases what attempts of these deliveries have stored, if the payloads of their events or their customers were erased.
 */
export async function eraseLate(db: Db, deliveryIds: readonly string[]): Promise<void> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select d.id from delivery d join endpoint p on p.id = d.endpoint_id
    left join lateral (select * from event where id = d.event_id offset 0) e on true
    where ${among('d.id', deliveryIds)} and (${IS_ERASED} or p.url = ${ERASED_URL})`;
  const erased = rows.map(({ id }) => id);
  if (erased.length > 0) await eraseAttempts(db, erased);
}

const EVENTS_AGAIN_AT_ONCE = 100;
/**
 * If the process ends during its work, or an event cannot be erased, the event is due again after this many seconds.
 */
const TRIED_AGAIN_AFTER_SECONDS = 300;

/**
 * For events whose time has come, erases what attempts stored that were in progress during their erasure. Owners of
 * workspaces take turns. Returns the number of events, which is below 100 if no more are due. It holds no lock while it
 * erases, because an event may have any number of deliveries. An event that cannot be erased delays no other: its error
 * is thrown after the others.
 */
export async function eraseAgain(db: Db): Promise<{ events: number; isLast: boolean }> {
  const due = await db.$queryRaw<DueAgain[]>`
    with recursive ${chosenInTurns('erased_event', { ofOwner: EVENTS_AGAIN_AT_ONCE, most: EVENTS_AGAIN_AT_ONCE })},
    of_former_version as materialized (
      select event_id from erased_event where workspace_id is null and again_at <= now() order by again_at
      limit ${EVENTS_AGAIN_AT_ONCE}::int for no key update skip locked
    ), due as (
      select event_id from chosen union all select event_id from of_former_version
    ), taken as (
      update erased_event a set again_at = now() + make_interval(secs => ${TRIED_AGAIN_AFTER_SECONDS}::int)
      from due where a.event_id = due.event_id returning a.event_id, a.again_at, a.endpoint_ids)
    select t.event_id as "eventId", t.again_at::text as "againAt", t.endpoint_ids as "endpointIds",
      e.workspace_id as "workspaceId"
    from taken t left join lateral (select workspace_id from event where id = t.event_id offset 0) e on true`;
  const faults: unknown[] = [];
  for (const event of due) await eraseAttemptsOf(db, event).catch((error: unknown) => faults.push(error));
  if (faults.length > 0) throw faults[0];
  return { events: due.length, isLast: due.length < EVENTS_AGAIN_AT_ONCE };
}

/** `workspaceId` is null for an event that retention has deleted. */
type DueAgain = { eventId: string; againAt: string; endpointIds: string[]; workspaceId: string | null };

async function eraseAttemptsOf(db: Db, { eventId, againAt, endpointIds, workspaceId }: DueAgain): Promise<void> {
  const of = { workspaceId: workspaceId ?? '', eventIds: [eventId], ...(endpointIds.length > 0 && { endpointIds }) };
  for (let after = workspaceId === null ? undefined : NIL_UUID; after !== undefined; ) {
    const page = await deliveriesOfEvents(db, { ...of, after });
    if (page.deliveryIds.length > 0) await eraseAttempts(db, page.deliveryIds);
    after = page.next;
  }
  // If the event was erased again meanwhile, it has another time and stays.
  await db.$executeRaw`
    delete from erased_event where event_id = ${eventId}::uuid and again_at = ${againAt}::timestamptz`;
}
