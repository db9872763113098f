import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import { type Gap, IS_KEPT_IN_LINE, SHARE_OF_NEW } from './catch-up.ts';
import { SUSPECT_LOST_LEASES } from './lease.ts';
import { IN_LINE, KEPT_START, RECOVERED_SHIFT, RECOVERED_START } from './waiting.ts';

// The line of an endpoint (docs/adr/0014): the due deliveries that wait for the endpoint's rate limit, `maxConcurrency`
// or breaker. Their due time marks them (waiting.ts): one index has the line in order, and lifting a limit changes only
// one row, `endpoint_line.next_at`.

/** If the limit or breaker ended just before the line got its row, nothing else would give the line an early turn. */
export const FIRST_TURN_SECONDS = 1;

/**
 * A part of a statement that lets deliveries enter lines. `rows` has a row `(endpoint_id, workspace_id, seconds)` for
 * each endpoint, with the time until its next turn. The rows are written in key order, so two statements cannot
 * deadlock. Whether the line has a row is known only when its row is written: it may have ended since the snapshot.
 */
export function enterLines(rows: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`with entering as materialized (${rows})
    insert into endpoint_line as l (endpoint_id, workspace_id, next_at)
    select endpoint_id, workspace_id, now() + make_interval(secs => least(seconds, ${FIRST_TURN_SECONDS}::float8))
    from entering order by endpoint_id
    on conflict (endpoint_id) do update set entered = l.entered + 1, next_at = least(l.next_at,
      now() + make_interval(secs => (select seconds from entering e where e.endpoint_id = l.endpoint_id)))`;
}

/** The turn of an endpoint's line. Nobody else takes this turn for two seconds. */
export type LineTurn = {
  endpointId: string;
  workspaceId: string;
  /** Undefined if the endpoint no longer exists. */
  revision: string | undefined;
  /** Whether the endpoint is active. */
  isActive: boolean;
  /** Whether consumers fetch its deliveries, which then need no turn. */
  isPulled: boolean;
  /** The time until the breaker's probe, at most 0 if it is due; null while the breaker is closed. */
  openSeconds: number | null;
  entered: bigint;
  changes: bigint;
  /** The outage whose deliveries are still sent at a pace, if any. */
  gap: Gap | undefined;
};

export const TURNS_AT_ONCE = 50;
/** If the process ends during a turn, another process takes the turn after this time. */
const TURN_SECONDS = 2;

/** The number of oldest due lines among which the owners of workspaces take turns. */
const OLDEST = 1_000;
/** If there are more due lines, this many of each workspace are read in addition. */
const OF_EACH_WORKSPACE = 10;

/**
 * Takes the turns of at most 50 lines whose next delivery may be sent within `aheadSeconds`, or that are `hurried`.
 * Owners of workspaces take turns, so that an owner with thousands of due lines does not delay the others.
 */
export async function takeLineTurns(
  db: Db,
  { aheadSeconds, hurried }: { aheadSeconds: number; hurried: readonly string[] },
): Promise<LineTurn[]> {
  type Row = Omit<LineTurn, 'revision' | 'gap'> & { revision: string | null; since: Date | null; until: Date | null };
  const isDue = Prisma.sql`(next_at <= now() + make_interval(secs => ${aheadSeconds}::float8)
    or endpoint_id = any(${[...hurried]}::uuid[]))`;
  const rows = await db.$queryRaw<Row[]>`
    with recursive oldest as materialized (
      select endpoint_id, workspace_id, next_at from endpoint_line where ${isDue} order by next_at limit ${OLDEST}::int
    ), one as (
      (select workspace_id from endpoint_line where (select count(*) from oldest) = ${OLDEST}::int
        order by workspace_id limit 1)
      union all
      select (select l.workspace_id from endpoint_line l where l.workspace_id > o.workspace_id
        order by l.workspace_id limit 1)
      from one o where o.workspace_id is not null
    ), line as (
      select * from oldest
      union
      select l.* from one o cross join lateral (
        select endpoint_id, workspace_id, next_at from endpoint_line
        where workspace_id = o.workspace_id and next_at <= now() + make_interval(secs => ${aheadSeconds}::float8)
        order by next_at limit ${OF_EACH_WORKSPACE}::int) l
    ), placed as (
      select l.endpoint_id, l.next_at,
        row_number() over (partition by coalesce(w.created_by, l.workspace_id) order by l.next_at) as place
      from line l left join workspace w on w.id = l.workspace_id
    ), due as materialized (
      select endpoint_id from endpoint_line
      where endpoint_id = any(array(select endpoint_id from placed order by place, next_at limit ${TURNS_AT_ONCE}::int))
        and ${isDue}
      for update skip locked
    ), taken as (
      update endpoint_line l set next_at = now() + make_interval(secs => ${TURN_SECONDS}::int)
      from due where l.endpoint_id = due.endpoint_id
      returning l.endpoint_id, l.workspace_id, l.entered, l.changes
    )
    select t.endpoint_id as "endpointId", t.workspace_id as "workspaceId", p.revision, t.entered, t.changes,
      coalesce(p.is_active and p.deleted_at is null, false) as "isActive", coalesce(p.is_pulled, false) as "isPulled",
      extract(epoch from h.open_until - now())::float8 as "openSeconds", u.since, u.until
    from taken t left join catch_up u on u.ended_at = 'infinity' left join endpoint p on p.id = t.endpoint_id left join endpoint_health h on h.endpoint_id = t.endpoint_id`;
  return rows.map(({ revision, since, until, ...row }) => ({
    ...row,
    revision: revision ?? undefined,
    gap: since === null || until === null ? undefined : { since, until },
  }));
}

export type InLine = { deliveryId: string; eventId: string; endpointId: string; workspaceId: string };

/** Includes the lease that a delivery lost before it entered the line: the delivery is still `delivering`. */
const LOST_LEASES = Prisma.sql`d.lost_leases + (d.status = 'delivering')::int`;

/**
 * `place` is the delivery's due time. `isSuspect`: it has lost several leases in a row, and is claimed in isolation.
 */
export type FirstInLine = InLine & { place: string; isSuspect: boolean };

/**
 * The most recovery deliveries that are ranked before the first are chosen. Operations let at most 40 of an endpoint
 * wait.
 */
const MOST_RANKED = 1_000;

/**
 * The first deliveries of each line: those that wait longest, then recoveries. At a fifo endpoint, a recovery's head
 * with a new delivery behind it is ranked among the new ones. Deliveries that an outage held back share the line with
 * new ones by `SHARE_OF_NEW`, and each side takes what the other leaves. Chance rounds the shares, because many turns
 * send a single delivery.
 *
 * `after` is a due time before which the line is known to be empty. It skips index entries of rows that have left the
 * line, which Postgres keeps while an old snapshot may see them. A place among later kinds says nothing about new
 * deliveries, which enter before it.
 */
export async function firstOfLines(
  db: Db,
  asked: readonly { endpointId: string; most: number; after: string }[],
): Promise<FirstInLine[]> {
  if (asked.length === 0) return [];
  return db.$queryRaw<FirstInLine[]>`
    select f.id as "deliveryId", f.event_id as "eventId", a.endpoint_id as "endpointId", f.workspace_id as "workspaceId",
      f.due_at::text as place, f.lost_leases >= ${SUSPECT_LOST_LEASES}::int as "isSuspect"
    from unnest(${asked.map((one) => one.endpointId)}::uuid[], ${asked.map((one) => one.most)}::int[],
      ${asked.map((one) => one.after)}::timestamptz[]) as a(endpoint_id, most, after_at)
    cross join lateral (select random() as chance) c
    cross join lateral (
      select *, (row_number() over (partition by is_kept order by turn)
          - case when is_kept then 1 - c.chance else c.chance end)
        / case when is_kept then ${1 - SHARE_OF_NEW}::float8 else ${SHARE_OF_NEW}::float8 end as rank
      from (
        (select d.id, d.event_id, d.workspace_id, d.due_at, ${LOST_LEASES} as lost_leases, d.due_at as turn, false as is_kept
          from delivery d
          where d.endpoint_id = a.endpoint_id and ${IN_LINE} and d.due_at < ${KEPT_START}
            and d.due_at >= case when a.after_at < ${KEPT_START} then a.after_at else '-infinity' end
          order by d.due_at limit a.most)
        union all
        (select d.id, d.event_id, d.workspace_id, d.due_at, ${LOST_LEASES}, d.due_at, true from delivery d
          where d.endpoint_id = a.endpoint_id and ${IS_KEPT_IN_LINE}
          order by d.due_at limit a.most)
        union all
        (select r.id, r.event_id, r.workspace_id, r.due_at, r.lost_leases,
          case when r.ordering_key is not null and (
            select w.next_trigger from ordered_delivery o join delivery w on w.id = o.delivery_id
            where o.endpoint_id = a.endpoint_id and o.ordering_key = r.ordering_key and o.position > 0
            order by o.position desc limit 1) = 'schedule' then r.due_at - ${RECOVERED_SHIFT} else r.due_at end, false
        from (
          select d.id, d.event_id, d.workspace_id, d.due_at, ${LOST_LEASES} as lost_leases, d.ordering_key from delivery d
          where d.endpoint_id = a.endpoint_id and ${IN_LINE} and d.due_at >= ${RECOVERED_START}
          order by d.due_at limit ${MOST_RANKED}::int) r)) all_kinds
      order by turn >= ${RECOVERED_START}, rank, turn limit a.most) f`;
}

/**
 * Sets the time of the next turn after a turn. It is now if the endpoint or its breaker has changed since the turn was
 * taken.
 */
export async function setNextTurns(
  db: Db,
  turns: readonly (Pick<LineTurn, 'endpointId' | 'changes'> & { seconds: number })[],
): Promise<void> {
  if (turns.length === 0) return;
  await retryConflicts(
    () => db.$executeRaw`
      update endpoint_line l set next_at = case when l.changes = t.changes
        then now() + make_interval(secs => t.seconds) else now() end
      from unnest(${turns.map((turn) => turn.endpointId)}::uuid[], ${turns.map((turn) => turn.changes)}::bigint[],
        ${turns.map((turn) => turn.seconds)}::float8[]) as t(endpoint_id, changes, seconds)
      where l.endpoint_id = t.endpoint_id and l.endpoint_id in (
        select endpoint_id from endpoint_line where endpoint_id = any(${turns.map((turn) => turn.endpointId)}::uuid[])
        order by endpoint_id for update)`,
  );
}

/** Ends the turns of a line whose deliveries consumers fetch. The deliveries go on waiting. */
export async function endTurns(db: Db, { endpointId, changes }: LineTurn): Promise<void> {
  await db.$executeRaw`
    delete from endpoint_line where endpoint_id = ${endpointId}::uuid and changes = ${changes}::bigint`;
}

/**
 * Ends an empty line, unless a delivery has entered it since the turn was taken. Returns whether it ended. If consumers
 * fetch an order, its heads enter the line without updating the row, so the line ends only after the order.
 */
export async function endLine(db: Db, { endpointId, entered }: LineTurn): Promise<boolean> {
  const ended = await db.$executeRaw`
    delete from endpoint_line where endpoint_id = ${endpointId}::uuid and entered = ${entered}::bigint
      and not exists (select from delivery d where d.endpoint_id = ${endpointId}::uuid and ${IN_LINE})
      and not exists (select from ordered_delivery o join endpoint p on p.id = o.endpoint_id
        where o.endpoint_id = ${endpointId}::uuid and p.is_pulled)`;
  return ended > 0;
}

/** The most endpoints of one statement. Each is found by one step in the index of lines. */
const SWEPT_AT_ONCE = 500;

/**
 * Gives each line with deliveries but no row a turn now. A delivery and the row of its line are written together, so
 * this finds something only after a fault, such as a partial restore. Returns the endpoints, except inactive pull
 * endpoints: there, a retry or the end of a lease also lets a delivery enter a line that has no row.
 */
export async function restoreLines(db: Db, stopped?: AbortSignal): Promise<string[]> {
  const restored: string[] = [];
  for (let after: string | undefined = NIL_UUID; after !== undefined && !stopped?.aborted; ) {
    const page: FoundLine[] = await readLines(db, after);
    const lost = page.filter(({ isKnown }) => !isKnown);
    if (lost.length > 0) {
      await db.$executeRaw(
        enterLines(Prisma.sql`select *, 0 as seconds from unnest(
        ${lost.map((line) => line.endpointId)}::uuid[], ${lost.map((line) => line.workspaceId)}::uuid[]
      ) as g(endpoint_id, workspace_id)`),
      );
      restored.push(...lost.flatMap(({ isPulled, endpointId }) => (isPulled ? [] : [endpointId])));
    }
    after = page.length < SWEPT_AT_ONCE ? undefined : page.at(-1)?.endpointId;
  }
  return restored;
}

type FoundLine = { endpointId: string; workspaceId: string; isKnown: boolean; isPulled: boolean };

/** The endpoints with deliveries in their line, in key order, and whether the line has a row or needs none. */
function readLines(db: Db, after: string) {
  const next = (from: Prisma.Sql) => Prisma.sql`(select d.endpoint_id, d.workspace_id from delivery d
    where d.endpoint_id > ${from} and ${IN_LINE} order by d.endpoint_id limit 1)`;
  return db.$queryRaw<FoundLine[]>`
    with recursive line as (
      ${next(Prisma.sql`${after}::uuid`)}
      union all
      select n.endpoint_id, n.workspace_id from line l cross join lateral ${next(Prisma.sql`l.endpoint_id`)} n
    )
    select l.endpoint_id as "endpointId", l.workspace_id as "workspaceId",
      exists (select from endpoint_line k where k.endpoint_id = l.endpoint_id)
        or coalesce(p.is_pulled and p.is_active and p.deleted_at is null, false) as "isKnown",
      coalesce(p.is_pulled, false) as "isPulled"
    from (select * from line limit ${SWEPT_AT_ONCE}::int) l left join endpoint p on p.id = l.endpoint_id
    order by l.endpoint_id`;
}

export type Released = InLine & { generation: number };

/**
 * Makes the first deliveries of a line due, because nothing limits the endpoint any more, or because it is inactive and
 * a claim ends them. Enqueue them under their generations.
 */
export async function releaseLine(db: Db, endpointId: string, most: number): Promise<Released[]> {
  return retryConflicts(
    () => db.$queryRaw<Released[]>`
      update delivery d set due_at = now(), generation = d.generation + 1, updated_at = now()
      where d.id = any(array(select d.id from delivery d where d.endpoint_id = ${endpointId}::uuid and ${IN_LINE}
        order by d.due_at limit ${most}::int)) and ${IN_LINE}
      returning d.id as "deliveryId", d.event_id as "eventId", d.endpoint_id as "endpointId",
        d.workspace_id as "workspaceId", d.generation`,
  );
}
