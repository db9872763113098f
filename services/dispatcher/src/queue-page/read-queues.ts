import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { inTransaction } from '@posthorn/db/transaction';
import { among } from '@posthorn/db/uuid-range';
import { IN_LINE, IN_LINE_SINCE } from '@posthorn/ledger/waiting';
import type { RowQueue, Rows, RowsLook, ShownProbe } from '@posthorn/queue/rows';
import type { LowWaterMark, LowWaterMarks } from '../recovery/low-water-mark.ts';

// Reads what the queue page shows. A view reads a limited number of rows, in the order in which dispatchers take them,
// and ends after a second whatever Postgres does, because it must never be in the way of deliveries.

export type QueueName = RowQueue | 'lines' | 'probes';
export const QUEUE_NAMES: readonly QueueName[] = ['fan-out', 'deliver', 'lines', 'probes'];

/** How much waits. The counts stop at the number of rows that are read: with `isCut`, there are more. */
export type Counts = { waiting: number; underWay: number; later: number; isCut: boolean; oldestSeconds: number | null };

/** A row, as dispatchers will take it. */
export type ShownRow = {
  /** The id with its prefix, unless it is a test. */
  kind: 'delivery' | 'event' | 'probe';
  id: string;
  workspaceId: string;
  endpointId: string | null;
  /** When it is due, or began to wait. */
  at: Date;
  /** How often a process has lost it, or it was taken again. */
  lost: number;
  /** The process that works on it. */
  holder: string | null;
};

export type WorkspaceCount = { workspaceId: string; name: string; count: number };

export type QueueView = Counts & { workspaces: WorkspaceCount[]; rows: ShownRow[] };
export type Overview = { queues: Record<QueueName, Counts>; look: RowsLook };

export type ReadDeps = { db: Db; rows: Pick<Rows, 'look'>; lowWaterMark: Pick<LowWaterMarks, 'read'> };

/** The most rows to read of a queue, when it is shown alone and when it is shown with the others. */
export const MOST_READ = 5_000;
const MOST_IN_OVERVIEW = 1_000;
const MOST_SHOWN = 100;
const MOST_WORKSPACES = 10;
/** The most events whose workspaces are read. An event's workspace is in the event's row, which is read one by one. */
const MOST_EVENTS = 1_000;
const ENDS_AFTER_MS = 1_000;

/** Reads how much waits in each queue, and the processes. */
export function readOverview(deps: ReadDeps): Promise<Overview> {
  return read(deps, async (transaction, mark) => {
    const look = await deps.rows.look(transaction);
    const most = MOST_IN_OVERVIEW;
    return {
      look,
      queues: {
        'fan-out': await readEvents(transaction, mark, { most, shown: 0 }),
        deliver: await readDeliveries(transaction, dueFrom(mark), { most, shown: 0 }),
        lines: await readDeliveries(transaction, LINES, { most, shown: 0 }),
        probes: countProbes(look.probes),
      },
    };
  });
}

/** Reads one queue: how much waits, in which workspaces, and the rows that come next. */
export function readQueue(deps: ReadDeps, name: QueueName): Promise<QueueView & { look: RowsLook }> {
  return read(deps, async (transaction, mark) => {
    const look = await deps.rows.look(transaction);
    const view = await readOne(transaction, { name, mark, look });
    return { ...view, look, workspaces: await named(transaction, view.workspaces) };
  });
}

type Asked = { name: QueueName; mark: LowWaterMark; look: RowsLook };

function readOne(db: DbTransaction, { name, mark, look }: Asked): Promise<QueueView> {
  switch (name) {
    case 'fan-out':
      return readEvents(db, mark, { most: MOST_READ, shown: MOST_SHOWN });
    case 'deliver':
      return readDeliveries(db, dueFrom(mark), { most: MOST_READ, shown: MOST_SHOWN });
    case 'lines':
      return readDeliveries(db, LINES, { most: MOST_READ, shown: MOST_SHOWN });
    case 'probes':
      return Promise.resolve(viewProbes(look.probes));
  }
}

async function read<Result>(
  { db, lowWaterMark }: ReadDeps,
  work: (transaction: DbTransaction, mark: LowWaterMark) => Promise<Result>,
): Promise<Result> {
  const from = await lowWaterMark.read();
  return inTransaction(
    db,
    async (transaction) => {
      await transaction.$queryRaw`select set_config('statement_timeout', ${`${ENDS_AFTER_MS}`}, true)`;
      return work(transaction, from);
    },
    { timeoutMs: 5 * ENDS_AFTER_MS },
  );
}

/** A part of the waiting deliveries: the condition of an index, and since when each is due or waits. */
type Part = { condition: Prisma.Sql; since: Prisma.Sql };

const LINES: Part = { condition: IN_LINE, since: IN_LINE_SINCE };

/** The deliveries that are due now or later, except those in lines or behind the head of an order. */
function dueFrom({ dueAt }: LowWaterMark): Part {
  const condition = Prisma.sql`d.due_at >= ${dueAt}::timestamptz and d.due_at < now() + interval '1 year'`;
  return { condition, since: Prisma.sql`d.due_at` };
}

type DeliveryRow = {
  id: string;
  workspaceId: string;
  endpointId: string;
  at: string;
  lost: number;
  holder: string | null;
};
type DeliveriesRead = Omit<Counts, 'isCut'> & {
  count: number;
  workspaces: { workspaceId: string; count: number }[];
  rows: DeliveryRow[];
};

async function readDeliveries(
  db: DbTransaction,
  { condition, since }: Part,
  { most, shown }: { most: number; shown: number },
): Promise<QueueView> {
  const [found] = await db.$queryRaw<DeliveriesRead[]>`
    with page as materialized (
      select d.id, d.workspace_id, d.endpoint_id, d.due_at, ${since} as since, greatest(d.lost_leases, 0) as lost,
        case when d.status = 'delivering' and coalesce(d.leased_until, d.due_at) > now()
          then coalesce('lease ' || left(d.lease_token::text, 8) || ', until ' || to_char(d.leased_until, 'HH24:MI:SS'), 'lease') end
          as holder
      -- Not by the id as well: all rows of one statement have the same due time, and would have to be sorted.
      from delivery d where ${condition} order by d.due_at limit ${most}::int
    )
    select count(*)::int as count,
      (count(*) filter (where holder is null and since <= now()))::int as waiting,
      (count(*) filter (where holder is not null))::int as "underWay",
      (count(*) filter (where holder is null and since > now()))::int as later,
      extract(epoch from now() - (min(since) filter (where holder is null and since <= now())))::float8 as "oldestSeconds",
      (select coalesce(json_agg(json_build_object('workspaceId', workspace_id, 'count', count)), '[]') from (
        select workspace_id, count(*) from page group by 1 order by 2 desc, 1 limit ${MOST_WORKSPACES}::int) w) as workspaces,
      (select coalesce(json_agg(json_build_object('id', id, 'workspaceId', workspace_id, 'endpointId', endpoint_id,
        'at', since, 'lost', lost, 'holder', holder) order by due_at, id), '[]') from (
        select * from page order by due_at, id limit ${shown}::int) r) as rows
    from page`;
  if (found === undefined) throw new Error('the statement returned no row');
  const { count, workspaces, rows, ...counts } = found;
  return {
    ...counts,
    isCut: count === most,
    workspaces: workspaces.map((one) => ({ ...one, name: '' })),
    rows: rows.map((row) => ({ ...row, kind: 'delivery', at: new Date(row.at) })),
  };
}

type EventRow = { id: string; at: string; lost: number; holder: string | null };
type EventsRead = Omit<Counts, 'isCut'> & { ids: string[]; rows: EventRow[] };

async function readEvents(
  db: DbTransaction,
  { beforeEventId }: LowWaterMark,
  { most, shown }: { most: number; shown: number },
): Promise<QueueView> {
  const [found] = await db.$queryRaw<EventsRead[]>`
    with page as materialized (
      select event_id as id, enqueued_at, due_at <= now() as is_due, enqueues, has_begun
      from pending_fan_out where event_id > ${beforeEventId}::uuid order by event_id limit ${most}::int
    )
    select (count(*) filter (where is_due))::int as waiting, (count(*) filter (where not is_due))::int as "underWay",
      0 as later, extract(epoch from now() - min(enqueued_at))::float8 as "oldestSeconds",
      array(select id from page order by id limit ${shown === 0 ? 0 : MOST_EVENTS}::int) as ids,
      (select coalesce(json_agg(json_build_object('id', id, 'at', enqueued_at, 'lost', enqueues, 'holder',
        case when has_begun then 'begun, not ended' when not is_due then 'taken' end) order by id), '[]') from (
        select * from page order by id limit ${shown}::int) r) as rows
    from page`;
  if (found === undefined) throw new Error('the statement returned no row');
  const { ids, rows, ...counts } = found;
  const { workspaces, owners } = await workspacesOf(db, ids, rows);
  const workspaceOf = new Map(owners.map(({ id, workspaceId }) => [id, workspaceId]));
  return {
    ...counts,
    isCut: counts.waiting + counts.underWay === most,
    workspaces: workspaces.map((one) => ({ ...one, name: '' })),
    rows: rows.flatMap((row): ShownRow[] => {
      const workspaceId = workspaceOf.get(row.id);
      const at = new Date(row.at);
      return workspaceId === undefined ? [] : [{ ...row, kind: 'event', workspaceId, endpointId: null, at }];
    }),
  };
}

type WorkspacesRead = {
  workspaces: { workspaceId: string; count: number }[];
  owners: { id: string; workspaceId: string }[];
};

/** The workspaces with most of these events, and the workspace of each shown event. */
async function workspacesOf(db: DbTransaction, ids: string[], shown: readonly EventRow[]): Promise<WorkspacesRead> {
  if (ids.length === 0) return { workspaces: [], owners: [] };
  const shownIds = shown.map(({ id }) => id);
  const [found] = await db.$queryRaw<WorkspacesRead[]>`
    with found as materialized (select id, workspace_id from event where ${among('id', ids)})
    select
      (select coalesce(json_agg(json_build_object('workspaceId', workspace_id, 'count', count)), '[]') from (
        select workspace_id, count(*) from found group by 1 order by 2 desc, 1 limit ${MOST_WORKSPACES}::int) w) as workspaces,
      (select coalesce(json_agg(json_build_object('id', id, 'workspaceId', workspace_id)), '[]') from found
        where id = any(${shownIds}::uuid[])) as owners`;
  return found ?? { workspaces: [], owners: [] };
}

function countProbes(probes: readonly ShownProbe[]): Counts {
  const waiting = probes.filter(({ takenBy }) => takenBy === null).length;
  return { waiting, underWay: probes.length - waiting, later: 0, isCut: false, oldestSeconds: null };
}

function viewProbes(probes: readonly ShownProbe[]): QueueView {
  return {
    ...countProbes(probes),
    workspaces: mostOf(probes.map(({ workspaceId }) => workspaceId)),
    rows: probes.slice(0, MOST_SHOWN).map(({ id, workspaceId, endpointId, beginsBy: at, takenBy }) => {
      const holder = takenBy === null ? null : `process ${takenBy.slice(0, 8)}`;
      return { kind: 'probe', id, workspaceId, endpointId, at, lost: 0, holder };
    }),
  };
}

function mostOf(workspaceIds: readonly string[]): WorkspaceCount[] {
  const counts = new Map<string, number>();
  for (const workspaceId of workspaceIds) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one).slice(0, MOST_WORKSPACES);
  return sorted.map(([workspaceId, count]) => ({ workspaceId, name: '', count }));
}

async function named(db: DbTransaction, counts: readonly WorkspaceCount[]): Promise<WorkspaceCount[]> {
  const where = { id: { in: counts.map(({ workspaceId }) => workspaceId) } };
  const found = await db.workspace.findMany({ where, select: { id: true, name: true } });
  const nameOf = new Map(found.map(({ id, name }) => [id, name]));
  return counts.map((one) => ({ ...one, name: nameOf.get(one.workspaceId) ?? '' }));
}
