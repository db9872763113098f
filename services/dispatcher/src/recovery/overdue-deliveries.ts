import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import { SUSPECT_LOST_LEASES } from '@posthorn/ledger/lease';
import type { Share } from '@posthorn/queue/rows';
import type { LowWaterMark } from './low-water-mark.ts';

/** A delivery that has been due for over a second and is not leased. */
export type OverdueRow = {
  deliveryId: string;
  eventId: string;
  endpointId: string;
  workspaceId: string;
  generation: number;
  /** With microseconds, because rows of one statement have the same due time. */
  dueAt: string;
  /** Whether its lease has expired. An offer that nobody took counts as a new delivery. */
  expired: boolean;
  /** Whether an operation has enqueued it and it has not been attempted since. */
  recovered: boolean;
  /** Whether it has lost several leases in a row. */
  isolated: boolean;
  /** The number of the 3 s period in which it was read. An overdue row gets one job in each period. */
  round: number;
  lateSeconds: number;
};

/** How long the process that set a due time has to enqueue the row. If rows are the queue, nobody enqueues it. */
const GRACE_SECONDS = 1;
export const NO_GRACE = 0;
/** The interval at which a row that stays overdue gets another job while the queue is almost empty. */
const ROUND_SECONDS = 3;

const COLUMNS = Prisma.sql`d.id as "deliveryId", d.event_id as "eventId", d.endpoint_id as "endpointId",
  d.workspace_id as "workspaceId", d.generation, d.due_at::text as "dueAt", d.status = 'delivering' and d.lost_leases >= 0 as expired,
  d.operation_id is not null and d.next_trigger <> 'schedule' as recovered,
  d.lost_leases + (d.status = 'delivering')::int >= ${SUSPECT_LOST_LEASES}::int as isolated,
  floor(extract(epoch from now()) / ${ROUND_SECONDS}::int)::int as round,
  extract(epoch from now() - d.due_at)::float8 as "lateSeconds"`;

/**
 * Condition on a row `d`. An offer that nobody took is overdue as soon as it ends, because nobody else enqueues it
 * again.
 */
function isOverdue(graceSeconds: number): Prisma.Sql {
  const grace = Prisma.sql`make_interval(secs => case when d.lost_leases < 0 and d.status = 'delivering' then 0 else ${graceSeconds}::int end)`;
  // The first condition ends the index scan at the present time.
  return Prisma.sql`d.due_at < now() and d.due_at < now() - ${grace} and (d.status <> 'delivering' or coalesce(d.leased_until, d.due_at) < now() - ${grace})`;
}

export type After = Pick<OverdueRow, 'dueAt' | 'deliveryId'>;

/** The place before the first open row. */
export function firstAfter({ dueAt }: LowWaterMark): After {
  return { dueAt, deliveryId: NIL_UUID };
}

const FIRST: After = { dueAt: '-infinity', deliveryId: NIL_UUID };

type Page = { limit: number; after?: After | undefined; graceSeconds?: number };

/** The deliveries that are most overdue. With `after`, those that follow that one. */
export function overdueDeliveries(
  db: Db,
  { limit, after = FIRST, graceSeconds = GRACE_SECONDS }: Page,
): Promise<OverdueRow[]> {
  return db.$queryRaw<OverdueRow[]>`
    select ${COLUMNS} from delivery d
    where ${isOverdue(graceSeconds)} and (d.due_at, d.id) > (${after.dueAt}::timestamptz, ${after.deliveryId}::uuid)
    order by d.due_at, d.id limit ${limit}::int`;
}

/**
 * The first `ofWorkspace` deliveries of each workspace among the next `limit` overdue ones, so that a few are found
 * behind a flood. The next call continues after `next`, which is undefined at the end.
 */
export async function overdueOfEach(
  db: Db,
  { limit, ofWorkspace, after = FIRST, graceSeconds = GRACE_SECONDS }: Page & { ofWorkspace: number },
): Promise<{ rows: OverdueRow[]; next: After | undefined }> {
  const found = await db.$queryRaw<({ count: number; lastDueAt: string; lastId: string } & OverdueRow)[]>`
    with page as materialized (
      select d.* from delivery d
      where ${isOverdue(graceSeconds)} and (d.due_at, d.id) > (${after.dueAt}::timestamptz, ${after.deliveryId}::uuid)
      order by d.due_at, d.id limit ${limit}::int
    ), placed as (
      select id, row_number() over (partition by workspace_id order by due_at, id) as place from page
    ), last as (
      select due_at, id from page order by due_at desc, id desc limit 1
    )
    select ${COLUMNS}, (select count(*)::int from page) as count, l.due_at::text as "lastDueAt", l.id as "lastId"
    from page d join placed p on p.id = d.id cross join last l
    where p.place <= ${ofWorkspace}::int order by p.place, d.due_at, d.id`;
  const [first] = found;
  const isFull = first !== undefined && first.count === limit;
  return {
    rows: found.map(({ count: _count, lastDueAt: _due, lastId: _id, ...row }) => row),
    next: isFull ? { dueAt: first.lastDueAt, deliveryId: first.lastId } : undefined,
  };
}

/**
 * The overdue deliveries up to `until` that pages have already passed: those with an ended lease or offer, and those in
 * one process's part. Looks among the next `among` deliveries. The next call continues after `next`, which is undefined
 * at the end.
 */
export async function overdueLeft(
  db: Db,
  {
    limit,
    among,
    until,
    share,
    after = FIRST,
    graceSeconds = GRACE_SECONDS,
  }: Page & { among: number; until: After; share: Share },
): Promise<{ rows: OverdueRow[]; next: After | undefined }> {
  const found = await db.$queryRaw<({ count: number; lastDueAt: string; lastId: string } & OverdueRow)[]>`
    with page as materialized (
      select d.* from delivery d
      where ${isOverdue(graceSeconds)} and (d.due_at, d.id) > (${after.dueAt}::timestamptz, ${after.deliveryId}::uuid)
        and (d.due_at, d.id) <= (${until.dueAt}::timestamptz, ${until.deliveryId}::uuid)
      order by d.due_at, d.id limit ${among}::int
    ), last as (
      select due_at, id, (select count(*)::int from page) as count from page order by due_at desc, id desc limit 1
    )
    select r.*, l.count, l.due_at::text as "lastDueAt", l.id as "lastId" from last l left join lateral (
      select ${COLUMNS} from page d
      where d.status = 'delivering' or ('x' || right(d.id::text, 6))::bit(24)::int % ${share.of}::int = ${share.place}::int
      order by d.due_at, d.id limit ${limit}::int) r on true`;
  const rows = found.flatMap(({ count: _count, lastDueAt: _due, lastId: _id, ...row }) =>
    row.deliveryId === null ? [] : [row],
  );
  const [first] = found;
  if (rows.length === limit) return { rows, next: rows.at(-1) };
  const isFull = first !== undefined && first.count === among;
  return { rows, next: isFull ? { dueAt: first.lastDueAt, deliveryId: first.lastId } : undefined };
}

/**
 * The part of the rows to which a delivery belongs, by the last digits of its id, which are random. `overdueLeft`
 * computes the same.
 */
export function placeOf(deliveryId: string, of: number): number {
  return Number.parseInt(deliveryId.slice(-6), 16) % of;
}

const WORKSPACES_AT_ONCE = 50;
const ROWS_OF_A_WORKSPACE = 10;
/**
 * The most overdue retries of each of the next 50 workspaces with retries, by the index on workspace and due time. The
 * next call continues at `nextWorkspaceId`, which is undefined at the end.
 */
export async function overdueRetries(
  db: Db,
  afterWorkspaceId: string = NIL_UUID,
  graceSeconds = GRACE_SECONDS,
): Promise<{ rows: OverdueRow[]; nextWorkspaceId: string | undefined }> {
  const found = await db.$queryRaw<({ lastWorkspaceId: string | null; workspaces: number } & OverdueRow)[]>`
    with recursive workspaces as (
      select 1 as n, (${nextWorkspace(Prisma.sql`${afterWorkspaceId}::uuid`)}) as id
      union all
      select n + 1, (${nextWorkspace(Prisma.sql`w.id`)}) from workspaces w
      where w.id is not null and n < ${WORKSPACES_AT_ONCE}::int
    ), counted as (
      select max(id::text) as last_id, count(id)::int as workspaces from workspaces
    )
    select r.*, c.last_id as "lastWorkspaceId", c.workspaces
    from counted c left join workspaces w on w.id is not null left join lateral (
      select ${COLUMNS} from delivery d
      where d.workspace_id = w.id and d.schedule_step > 0 and d.due_at is not null and ${isOverdue(graceSeconds)}
      order by d.due_at limit ${ROWS_OF_A_WORKSPACE}::int) r on true`;
  const [first] = found;
  const isFull = first !== undefined && first.workspaces === WORKSPACES_AT_ONCE;
  const rows = found.flatMap(({ lastWorkspaceId: _last, workspaces: _count, ...row }) =>
    row.deliveryId === null ? [] : [row],
  );
  return { rows, nextWorkspaceId: isFull ? (first.lastWorkspaceId ?? undefined) : undefined };
}

/** The lowest workspace id above `after` with an open retry. */
function nextWorkspace(after: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`select d.workspace_id from delivery d
    where d.workspace_id > ${after} and d.due_at is not null and d.schedule_step > 0 order by d.workspace_id limit 1`;
}
