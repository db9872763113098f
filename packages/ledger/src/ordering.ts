import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { among, NIL_UUID } from '@posthorn/db/uuid-range';
import { BEHIND_HEAD, dueOf, isBehindHead } from './waiting.ts';

// The order of a fifo endpoint (docs/interface.md, Order; docs/adr/0009). Of the open deliveries with one endpoint and
// ordering key, one is the head and the others wait. Database triggers choose the head, in the statement that creates
// or ends a delivery.

/**
 * Locks those direct events of these deliveries that have no place in their order yet, and returns their ids. Call it
 * in the transaction of a retry, before the statement that retries. That statement then sees every place that was
 * given, and `enterOrder` gives no other until the transaction ends. An event moves from `scheduled_event` to
 * `pending_fan_out` in one commit, so the second table is read after the rows of the first are locked. To avoid
 * deadlocks, the rows are locked in the sequence of `placeScheduled`, and then in that of fan-out.
 */
export async function lockEventsToBePlaced(transaction: DbTransaction, deliveryIds: readonly string[]) {
  const direct = await transaction.$queryRaw<{ eventId: string }[]>`
    select d.event_id as "eventId" from (
      select event_id from delivery where ${among('id', deliveryIds)} and ordering_key is null and total_attempts = 0) d
    cross join lateral (
      select from event where id = d.event_id and endpoint_id is not null and ordering_key is not null offset 0) e`;
  if (direct.length === 0) return [];
  const eventIds = direct.map(({ eventId }) => eventId);
  const scheduled = await transaction.$queryRaw<{ eventId: string }[]>`
    select event_id as "eventId" from scheduled_event where event_id = any(${eventIds}::uuid[])
    order by environment_id, deliver_at, event_id for share`;
  const pending = await transaction.$queryRaw<{ eventId: string }[]>`
    select event_id as "eventId" from pending_fan_out where event_id = any(${eventIds}::uuid[])
    order by event_id for share`;
  return [...scheduled, ...pending].map(({ eventId }) => eventId);
}

/**
 * The due time of a retried row `d`: now, unless it has an ordering key or its event is one of `lockEventsToBePlaced`.
 * Then the row waits. A trigger releases a row with an ordering key if the order has no head, and `enterOrder` gives
 * the others their places.
 */
export function dueInTurn(toBePlaced: readonly string[]): Prisma.Sql {
  return Prisma.sql`case when d.ordering_key is null and d.event_id <> all(${[...toBePlaced]}::uuid[])
    then ${dueOf(Prisma.sql`now()`, Prisma.sql`d.is_pulled`)} else ${BEHIND_HEAD} end`;
}

/**
 * A part of a statement whose part `retried` returns changed rows of `delivery`. It inserts their places in the order.
 * The triggers run after it, so they release the first delivery of an order by acceptance, in whatever sequence the
 * rows changed.
 */
export const PLACES_OF_RETRIED: Prisma.Sql = Prisma.sql`places as (
    insert into ordered_delivery (endpoint_id, ordering_key, position, delivery_id, event_id, workspace_id)
    select r.endpoint_id, r.ordering_key, coalesce(r.ordering_number, 9223372036854775807), r.id, r.event_id, r.workspace_id
    from retried r join endpoint p on p.id = r.endpoint_id
    where r.ordering_key is not null and r.due_at = ${BEHIND_HEAD} and p.is_fifo
    on conflict do nothing)`;

/** Identifies the deliveries with one ordering key at one endpoint, which are sent one after the other. */
export type Order = { endpointId: string; orderingKey: string };

/** The head: the only delivery of an order that is due, or was due when it was claimed. */
export type Head = Order & {
  deliveryId: string;
  eventId: string;
  workspaceId: string;
  /**
   * The generation of a head that followed an earlier head; null if it was created as the head. Until the head is
   * claimed, it is due under this generation, and must be enqueued.
   */
  releasedGeneration: number | null;
};

/** The columns of `ordered_delivery` that make a Head. */
const HEAD_COLUMNS: Prisma.Sql = Prisma.sql`o.endpoint_id as "endpointId", o.ordering_key as "orderingKey",
  o.delivery_id as "deliveryId", o.event_id as "eventId", o.workspace_id as "workspaceId",
  o.released_generation as "releasedGeneration"`;

/** The heads of these orders. An order without an open delivery has none. */
export async function headsOf(db: Db | DbTransaction, orders: readonly Order[]): Promise<Head[]> {
  if (orders.length === 0) return [];
  return db.$queryRaw<Head[]>`
    select ${HEAD_COLUMNS}
    from (select distinct * from unnest(${orders.map((order) => order.endpointId)}::uuid[],
      ${orders.map((order) => order.orderingKey)}::text[]) as given(endpoint_id, ordering_key)) g
    cross join lateral (
      select * from ordered_delivery
      where (endpoint_id, ordering_key) >= (g.endpoint_id, g.ordering_key)
      order by endpoint_id, ordering_key, position, delivery_id limit 1) o
    where o.endpoint_id = g.endpoint_id and o.ordering_key = g.ordering_key and o.position = 0`;
}

/** The jobs for heads that followed an earlier head. */
export function toRequests(heads: readonly Head[]): HeadRequest[] {
  return heads.flatMap(({ deliveryId, eventId, endpointId, workspaceId, releasedGeneration }) =>
    releasedGeneration === null
      ? []
      : [{ deliveryId, eventId, endpointId, workspaceId, generation: releasedGeneration, delayMs: 0 }],
  );
}

/** The job for a head that followed an earlier head. */
export type HeadRequest = Omit<Head, 'orderingKey' | 'releasedGeneration'> & { generation: number; delayMs: 0 };

type Row = { endpointId: string; orderingKey: string | null; dueAt: Date | null };

/** Makes a function that returns the head that a row waits for, or null. If no row waits, no statement is sent. */
export async function createWaitingFor(
  db: Db | DbTransaction,
  rows: readonly Row[],
): Promise<(row: Row) => string | null> {
  const orders = rows.flatMap(({ endpointId, orderingKey, dueAt }) =>
    orderingKey !== null && isBehindHead(dueAt) ? [{ endpointId, orderingKey }] : [],
  );
  const heads = new Map((await headsOf(db, orders)).map((head) => [nameOf(head), head.deliveryId]));
  return ({ endpointId, orderingKey, dueAt }) =>
    orderingKey !== null && isBehindHead(dueAt) ? (heads.get(nameOf({ endpointId, orderingKey })) ?? null) : null;
}

function nameOf({ endpointId, orderingKey }: Order): string {
  return `${endpointId} ${orderingKey}`;
}

/**
 * The part `locks` of a statement that ends or retries deliveries. `chosen` is a condition on columns of `delivery`.
 * The part takes the locks of their orders in the same sequence as `sql/settle.sql`. Lock the rows under
 * `LOCKS_ARE_TAKEN`.
 */
export function locksOfChosen(chosen: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`locks as materialized (
      select pg_advisory_xact_lock(l.lock) from (
        select distinct ordering_lock(endpoint_id, ordering_key) as lock from delivery
        where ${chosen} and ordering_key is not null order by 1) l)`;
}

/** A condition that refers to no row, so that Postgres takes the locks before it reads the first row. */
export const LOCKS_ARE_TAKEN: Prisma.Sql = Prisma.sql`(select count(*) from locks) >= 0`;

/** Condition on an event with an ordering key in `pending_fan_out w`: it is the first of its key. */
export const IS_FIRST_OF_KEY = Prisma.sql`not exists (select from pending_fan_out b
    where b.environment_id = w.environment_id and b.ordering_key = w.ordering_key and b.ordering_number < w.ordering_number)`;

const ENDPOINTS_AT_ONCE = 10;
const RELEASED_AT_ONCE = 1_000;
/**
 * How long an endpoint is watched after the switch. A statement that began before it may still add a waiting delivery,
 * but no statement runs for this long.
 */
const WATCHED_SECONDS = 60;

type Released = { deliveryId: string; workspaceId: string; endpointId: string };

/**
 * Creates a round that releases the waiting deliveries of endpoints whose `ordering` was switched off: one page of each
 * of the next ten endpoints. It returns whether there is more. Endpoints take turns, so that an endpoint with many
 * waiting deliveries delays no other. A page is read in the order of the index, so its cost does not depend on how many
 * wait. The released deliveries are due, and the reconciler enqueues them. `onReleased` is called for each page.
 */
export function createReleaseEndedOrders(
  db: Db,
  onReleased: (released: readonly Released[]) => void = () => {},
): () => Promise<boolean> {
  let after = NIL_UUID;
  return async () => {
    const endpoints = await db.endpoint.findMany({
      where: { orderEndedAt: { not: null }, id: { gt: after } },
      select: { id: true },
      orderBy: { id: 'asc' },
      take: ENDPOINTS_AT_ONCE,
    });
    const last = endpoints.length === ENDPOINTS_AT_ONCE ? endpoints.at(-1) : undefined;
    after = last?.id ?? NIL_UUID;
    let isMore = last !== undefined;
    for (const { id } of endpoints) {
      if ((await releasePage(db, id, onReleased)) > 0) isMore = true;
      else await forgetEndedOrder(db, id);
    }
    return isMore;
  };
}

async function forgetEndedOrder(db: Db, endpointId: string): Promise<void> {
  await db.$executeRaw`
    update endpoint set order_ended_at = null
    where id = ${endpointId}::uuid and order_ended_at < now() - make_interval(secs => ${WATCHED_SECONDS}::int)`;
}

/**
 * The trigger deletes the rows of the released deliveries. An endpoint that has become fifo again keeps its order,
 * because the statement reads its `ordering` and the waiting deliveries at the same moment.
 */
async function releasePage(
  db: Db,
  endpointId: string,
  onReleased: (released: readonly Released[]) => void,
): Promise<number> {
  const rows = await db.$queryRaw<{ deliveryId: string; workspaceId: string | null }[]>`
    with page as materialized (
      select ordering_key, position, delivery_id from ordered_delivery
      where endpoint_id = ${endpointId}::uuid and position > 0
        and exists (select from endpoint where id = ${endpointId}::uuid and order_ended_at is not null)
      order by endpoint_id, ordering_key, position, delivery_id limit ${RELEASED_AT_ONCE}::int
    ), released as (
      update delivery d set ordering_key = null, due_at = ${dueOf(Prisma.sql`now()`, Prisma.sql`d.is_pulled`)}, generation = d.generation + 1
      where d.id in (select id from delivery where id in (select delivery_id from page) order by id for update)
        and d.due_at = ${BEHIND_HEAD} and d.ordering_key is not null
      returning d.id, d.workspace_id
    ), ended as (
      delete from ordered_delivery o using page
      where o.endpoint_id = ${endpointId}::uuid and o.ordering_key = page.ordering_key and o.position = page.position
        and o.delivery_id = page.delivery_id
        and not exists (select from delivery d where d.id = page.delivery_id and d.due_at = ${BEHIND_HEAD})
      returning o.delivery_id
    )
    select id as "deliveryId", workspace_id as "workspaceId" from released
    union all select delivery_id, null from ended`;
  onReleased(
    rows.flatMap(({ deliveryId, workspaceId }) =>
      workspaceId === null ? [] : [{ deliveryId, workspaceId, endpointId }],
    ),
  );
  return rows.length;
}

const KEYS_AT_ONCE = 200;
const FIRST: Order = { endpointId: NIL_UUID, orderingKey: '' };

/**
 * Releases the first delivery of each order whose deliveries wait without a head, or behind a head that has ended. This
 * is a safety net: the triggers leave no such order. A call reads the next 200 orders, and returns the order after
 * which the next call continues; undefined at the end.
 */
export async function releaseHeadless(db: Db, after: Order = FIRST): Promise<{ released: number; next?: Order }> {
  const orders = await db.$queryRaw<(Order & { hasHead: boolean })[]>`
    with recursive orders as (
      (${firstOfNext(Prisma.sql`${after.endpointId}::uuid`, Prisma.sql`${after.orderingKey}::text`)})
      union all
      select n.* from orders o
      cross join lateral (${firstOfNext(Prisma.sql`o.endpoint_id`, Prisma.sql`o.ordering_key`)}) n
    )
    select o.endpoint_id as "endpointId", o.ordering_key as "orderingKey", o.position = 0 and exists (
        select from delivery d where d.id = o.delivery_id and d.ordering_key = o.ordering_key
          and d.due_at < ${BEHIND_HEAD}) as "hasHead"
    from (select * from orders limit ${KEYS_AT_ONCE}::int) o`;
  let released = 0;
  for (const { endpointId, orderingKey } of orders.filter(({ hasHead }) => !hasHead)) {
    const [row] = await db.$queryRaw<{ id: string | null }[]>`
      select mend_order(${endpointId}::uuid, ${orderingKey}) as id`;
    if (row?.id) released += 1;
  }
  const last = orders.length === KEYS_AT_ONCE ? orders.at(-1) : undefined;
  return {
    released,
    ...(last === undefined ? {} : { next: { endpointId: last.endpointId, orderingKey: last.orderingKey } }),
  };
}

/** The first row of the next order after this one. */
function firstOfNext(endpointId: Prisma.Sql, orderingKey: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`select endpoint_id, ordering_key, position, delivery_id from ordered_delivery
    where (endpoint_id, ordering_key) > (${endpointId}, ${orderingKey})
    order by endpoint_id, ordering_key, position, delivery_id limit 1`;
}
