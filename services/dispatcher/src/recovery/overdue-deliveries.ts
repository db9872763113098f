import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import { SUSPECT_LOST_LEASES } from '@posthorn/ledger/lease';
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
  /** Whether its lease has expired. An offer that nobody took is as any other new delivery. */
  expired: boolean;
  /** Whether an operation has enqueued it, and it was not attempted since. */
  recovered: boolean;
  /** Whether it has lost several leases in a row. */
  isolated: boolean;
  /** The number of the 3 s period in which it was read. An overdue row gets one job in each period. */
  round: number;
};

/** A row that has just become due is being enqueued by the process that set its due time. */
const GRACE_SECONDS = 1;
/** The interval at which a row that stays overdue gets another job while the queue is almost empty. */
const ROUND_SECONDS = 3;

const COLUMNS = Prisma.sql`d.id as "deliveryId", d.event_id as "eventId", d.endpoint_id as "endpointId",
  d.workspace_id as "workspaceId", d.generation, d.due_at::text as "dueAt", d.status = 'delivering' and d.lost_leases >= 0 as expired,
  d.operation_id is not null and d.next_trigger <> 'schedule' as recovered,
  d.lost_leases + (d.status = 'delivering')::int >= ${SUSPECT_LOST_LEASES}::int as isolated,
  floor(extract(epoch from now()) / ${ROUND_SECONDS}::int)::int as round`;

/** An offer that nobody took is enqueued again at its end: nobody else will do so. */
const GRACE = Prisma.sql`make_interval(secs => case when d.lost_leases < 0 and d.status = 'delivering' then 0 else ${GRACE_SECONDS}::int end)`;
const OVERDUE = Prisma.sql`d.due_at < now() - ${GRACE} and (d.status <> 'delivering'
  or coalesce(d.leased_until, d.due_at) < now() - ${GRACE})`;

export type After = Pick<OverdueRow, 'dueAt' | 'deliveryId'>;

/** The place before the first row that is open. */
export function firstAfter({ dueAt }: LowWaterMark): After {
  return { dueAt, deliveryId: NIL_UUID };
}

const FIRST: After = { dueAt: '-infinity', deliveryId: NIL_UUID };

/** The most overdue deliveries. With `after`, the deliveries that follow that one. */
export function overdueDeliveries(
  db: Db,
  { limit, after = FIRST }: { limit: number; after?: After | undefined },
): Promise<OverdueRow[]> {
  return db.$queryRaw<OverdueRow[]>`
    select ${COLUMNS} from delivery d
    where ${OVERDUE} and (d.due_at, d.id) > (${after.dueAt}::timestamptz, ${after.deliveryId}::uuid)
    order by d.due_at, d.id limit ${limit}::int`;
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
      where d.workspace_id = w.id and d.schedule_step > 0 and d.due_at is not null and ${OVERDUE}
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
