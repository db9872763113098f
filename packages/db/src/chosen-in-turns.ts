import { Prisma } from './generated/client.ts';

// Owners of workspaces take turns: the first of each owner come before the second ones, whatever has waited for longest.
// An owner with many workspaces counts once, and a workspace that the installation made counts as an owner.

/**
 * Tables whose rows wait until they are due, with their keys. Each has an index on `(workspace_id, due_at)`, which may leave out
 * rows that are not due at any time. Those with claims have one on `claimed_until`, too.
 */
const WAITING = {
  outgoing_mail: { key: ['id'], hasClaims: true },
  outgoing_alert: { key: ['id'], hasClaims: true },
  alert_state: { key: ['rule_id', 'event_type'], hasClaims: false },
  short_payload: { key: ['event_id'], hasClaims: false },
} as const;

/** More workspaces that have something due are looked at once earlier ones have nothing. */
const WORKSPACES = 1_000;

type Turns = {
  /** The most of one owner, the claimed ones included. */
  ofOwner: number;
  most: number;
  /** A column: of the rows with one value of it, one at a time is claimed. It needs an index. */
  oneOfEach?: 'rule_id';
};

const ownerOf = (workspaceId: Prisma.Sql) => Prisma.sql`coalesce(o.created_by, o.id, ${workspaceId})`;

/**
 * The parts of a `with recursive` that end in `chosen`, with the key of each row: rows that are due and not claimed, locked. Of one
 * owner there are at most `ofOwner`, the claimed ones included. They are ordered by their rank among the rows of their owner, and
 * by their due time among rows of the same rank. So however many rows of an owner wait, another owner waits one round.
 */
export function chosenInTurns(table: keyof typeof WAITING, { ofOwner, most, oneOfEach }: Turns): Prisma.Sql {
  const { key, hasClaims } = WAITING[table];
  const from = Prisma.raw(table);
  const columns = (of: string) => Prisma.raw(key.map((column) => `${of}.${column}`).join(', '));
  const isFree = (of: string) =>
    Prisma.raw(hasClaims ? `and (${of}.claimed_until is null or ${of}.claimed_until < now())` : '');
  const due = Prisma.sql`
    select d.* from ${from} d where d.workspace_id = w.workspace_id and d.due_at <= now() ${isFree('d')}`;
  const apart = oneOfEach === undefined ? due : firstOfEach(from, due, Prisma.raw(oneOfEach));
  const busy = hasClaims
    ? Prisma.sql`select ${ownerOf(Prisma.sql`b.workspace_id`)} as owner, count(*) as count
        from ${from} b left join workspace o on o.id = b.workspace_id
        where b.claimed_until > now() and b.due_at is not null and b.workspace_id is not null group by 1`
    : Prisma.sql`select null::uuid as owner, 0 as count where false`;
  return Prisma.sql`${waitingWorkspaces(from, Prisma.sql`due_at is not null`)}, busy as materialized (
      ${busy}
    ), first_due as (
      select ${columns('f')}, f.due_at, ${ownerOf(Prisma.sql`w.workspace_id`)} as owner
      from (select e.workspace_id from waiting e where exists (
        select from ${from} d where d.workspace_id = e.workspace_id and d.due_at <= now()) limit ${WORKSPACES}::int) w
      left join workspace o on o.id = w.workspace_id
      cross join lateral (select a.* from (${apart}) a order by a.due_at, ${columns('a')} limit ${ofOwner}::int) f
    ), ranked as (
      select ${columns('d')}, d.due_at, coalesce(b.count, 0)
        + row_number() over (partition by d.owner order by d.due_at, ${columns('d')}) as rank
      from first_due d left join busy b on b.owner = d.owner
    ), chosen as materialized (
      select ${columns('m')} from ${from} m join ranked r on (${columns('r')}) = (${columns('m')})
      where r.rank <= ${ofOwner}::int and m.due_at <= now() ${isFree('m')}
      order by r.rank, r.due_at, ${columns('m')} limit ${most}::int for update of m skip locked
    )`;
}

/** Of those that are due, the first for each value of the column that has none under way. */
function firstOfEach(from: Prisma.Sql, due: Prisma.Sql, column: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    select distinct on (o.${column}) o.* from (${due}) o
    where not exists (select from ${from} u where u.${column} = o.${column} and u.claimed_until > now())
    order by o.${column}, o.due_at, o.id`;
}

/** The workspaces that have such rows, from the first one after `after` on, in a `with recursive`. */
function waitingWorkspaces(from: Prisma.Sql, condition: Prisma.Sql, after?: string): Prisma.Sql {
  const first = after === undefined ? Prisma.sql`workspace_id is not null` : Prisma.sql`workspace_id > ${after}::uuid`;
  return Prisma.sql`waiting as (
      (select workspace_id from ${from} where ${first} and ${condition} order by workspace_id limit 1)
      union all
      select (select n.workspace_id from ${from} n where n.workspace_id > w.workspace_id and n.${condition}
        order by n.workspace_id limit 1)
      from waiting w where w.workspace_id is not null
    )`;
}

/** Tables of what triggers raised, by workspace. A round takes some rows of each of some workspaces, and deletes them. */
type Raised = 'operational_event' | 'raised_alert';

/**
 * The parts of a `with recursive` that end in `turn(workspace_id, place)`: the workspaces after `after` that have rows, at most
 * `most`, the first one of each owner before the second ones.
 */
export function workspacesInTurns(table: Raised, { after, most }: { after: string; most: number }): Prisma.Sql {
  return Prisma.sql`${waitingWorkspaces(Prisma.raw(table), Prisma.sql`workspace_id is not null`, after)}, turn as (
      select w.workspace_id, (row_number() over (
        partition by ${ownerOf(Prisma.sql`w.workspace_id`)} order by w.workspace_id))::int as place
      from (select workspace_id from waiting where workspace_id is not null limit ${WORKSPACES}::int) w
      left join workspace o on o.id = w.workspace_id
      order by place, w.workspace_id limit ${most}::int
    )`;
}

/**
 * Where the next round goes on: behind the last workspace that was the first one of its owner, while there may be more of those.
 * Undefined: from the beginning, where the second ones are.
 */
export function afterTurns(rows: readonly { workspaceId: string; place: number }[], most: number): string | undefined {
  const firsts = new Set(rows.filter(({ place }) => place === 1).map(({ workspaceId }) => workspaceId));
  return firsts.size < most ? undefined : [...firsts].sort().at(-1);
}
