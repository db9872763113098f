import { Prisma } from './generated/client.ts';
import { NIL_UUID } from './uuid-range.ts';

// Owners of workspaces take turns: the first row of each owner comes before any second row, however long that has
// waited. If more owners wait than a round has places, the next round goes on after the owner who had the last turn. An
// owner with many workspaces counts once. A workspace that the installation made counts as an owner.

/**
 * Tables whose rows wait until they are due, with their keys. Each has an index on the workspace and the time. The
 * index may omit rows that are never due. A table with claims also has an index on `claimed_until`.
 */
const WAITING = {
  outgoing_mail: { key: ['id'], due: 'due_at', hasClaims: true },
  outgoing_alert: { key: ['id'], due: 'due_at', hasClaims: true },
  outgoing_termination: { key: ['endpoint_id'], due: 'due_at', hasClaims: true },
  alert_state: { key: ['rule_id', 'event_type'], due: 'due_at', hasClaims: false },
  short_payload: { key: ['event_id'], due: 'due_at', hasClaims: false },
  erased_event: { key: ['event_id'], due: 'again_at', hasClaims: false },
  endpoint: { key: ['id'], due: 'deleted_at', done: 'cleared_at', hasClaims: false },
} as const satisfies Record<string, Waiting & { key: readonly string[] }>;

/**
 * The number of workspaces with due rows that a round looks at. Once each of their owners has had a turn, the next
 * round goes on with the workspaces after them.
 */
const WORKSPACES = 1_000;

type Turns = {
  /** The most rows of one owner, including claimed ones. */
  ofOwner: number;
  most: number;
  /** A column, which needs an index: of the rows with the same value in it, only one at a time is claimed. */
  oneOfEach?: 'rule_id';
};

const ownerOf = (workspaceId: Prisma.Sql) => Prisma.sql`coalesce(o.created_by, o.id, ${workspaceId})`;

/**
 * The parts of a `with recursive` that end in `chosen`, which has the keys of rows that are due and not claimed, and
 * locks them. An owner has at most `ofOwner` of them, including claimed ones. Rows are ordered by their rank among the
 * rows of their owner. Rows of the same rank are ordered by owner, beginning after the last turn. So however many rows
 * wait, a further owner waits only until each other owner has had a turn. Dispatchers and APIs share the turns, in the
 * table `turn`.
 */
export function chosenInTurns(table: keyof typeof WAITING, { ofOwner, most, oneOfEach }: Turns): Prisma.Sql {
  const { key, ...waiting }: Waiting & { key: readonly string[] } = WAITING[table];
  const { due, hasClaims } = waiting;
  const from = Prisma.raw(table);
  const isTaken = (of: string) => takenOf(of, waiting);
  const ofWorkspace = Prisma.sql`select d.* from ${from} d where d.workspace_id = w.workspace_id and ${isTaken('d')}`;
  const apart = oneOfEach === undefined ? ofWorkspace : firstOfEach(from, ofWorkspace, Prisma.raw(oneOfEach));
  const busy = hasClaims
    ? Prisma.sql`select ${ownerOf(Prisma.sql`b.workspace_id`)} as owner, count(*) as count
        from ${from} b left join workspace o on o.id = b.workspace_id
        where b.claimed_until > now() and ${Prisma.raw(`b.${due}`)} is not null and b.workspace_id is not null group by 1`
    : Prisma.sql`select null::uuid as owner, 0 as count where false`;
  const condition = Prisma.raw(waitsOf('', waiting));
  const afterWorkspace = Prisma.sql`(select after_workspace from turn_before)`;
  return Prisma.sql`${turnBefore(table)},
    ${waitingWorkspaces('behind', from, { condition, after: afterWorkspace })},
    ${waitingWorkspaces('up_to', from, { condition })},
    looked_at as materialized (
      select l.workspace_id, ${ownerOf(Prisma.sql`l.workspace_id`)} as owner from (
        select s.workspace_id from (
          select workspace_id from behind union all select workspace_id from up_to where workspace_id <= ${afterWorkspace}) s
        where exists (select from ${from} d where d.workspace_id = s.workspace_id and ${isTaken('d')})
        limit ${WORKSPACES}::int) l
      left join workspace o on o.id = l.workspace_id
    ), page_end as materialized (
      select case when (select count(*) from looked_at) = ${WORKSPACES}::int then (
        select workspace_id from looked_at
        order by workspace_id <= ${afterWorkspace} desc, workspace_id desc limit 1) end as workspace_id
    ), busy as materialized (
      ${busy}
    ), first_due as (
      select ${columnsOf('f', key)}, f.${Prisma.raw(due)} as due_at, w.owner
      from looked_at w
      cross join lateral (
        select a.* from (${apart}) a order by a.${Prisma.raw(due)}, ${columnsOf('a', key)} limit ${ofOwner}::int) f
    ), ${takenInTurns(table, { table, key, isTaken: isTaken('m'), ofOwner, most })}`;
}

/**
 * Chooses mails that belong to no workspace. Accounts take turns. There are few such mails, because an account gets few
 * of each kind, so only those that have been due for longest are looked at.
 */
export function accountMailsInTurns({ ofOwner, most }: Pick<Turns, 'ofOwner' | 'most'>): Prisma.Sql {
  const isTaken = (of: string) =>
    Prisma.sql`${Prisma.raw(of)}.workspace_id is null and ${takenOf(of, WAITING.outgoing_mail)}`;
  const account = Prisma.sql`coalesce(user_id, id)`;
  const key = ['id'];
  return Prisma.sql`${turnBefore('account_mail')}, page_end as (select null::uuid as workspace_id), busy as materialized (
      select ${account} as owner, count(*) as count from outgoing_mail
      where claimed_until > now() and due_at is not null and workspace_id is null group by 1
    ), first_due as (
      select d.id, d.due_at, ${account} as owner from outgoing_mail d where ${isTaken('d')}
      order by d.due_at, d.id limit ${WORKSPACES}::int
    ), ${takenInTurns('account_mail', { table: 'outgoing_mail', key, isTaken: isTaken('m'), ofOwner, most })}`;
}

const columnsOf = (of: string, key: readonly string[]) => Prisma.raw(key.map((column) => `${of}.${column}`).join(', '));

type Waiting = {
  /** The column with the time from which a row is due; null in a row that waits for nothing. */
  due: string;
  /** A column that is set once the work is done, for tables that keep `due`. */
  done?: string;
  hasClaims: boolean;
};

/** The condition that a row waits, due or not. `of` is empty or ends in a dot. */
function waitsOf(of: string, { due, done }: Waiting): string {
  return `${of}${due} is not null${done === undefined ? '' : ` and ${of}${done} is null`}`;
}

/** The condition that a row is due and not claimed. */
function takenOf(of: string, waiting: Waiting): Prisma.Sql {
  const { due, hasClaims } = waiting;
  const isFree = hasClaims ? `and (${of}.claimed_until is null or ${of}.claimed_until < now())` : '';
  return Prisma.raw(`${waitsOf(`${of}.`, waiting)} and ${of}.${due} <= now() ${isFree}`);
}

function turnBefore(lane: string): Prisma.Sql {
  const read = (column: string) =>
    Prisma.sql`coalesce((select ${Prisma.raw(column)} from turn where lane = ${lane}), ${NIL_UUID}::uuid) as ${Prisma.raw(column)}`;
  return Prisma.sql`turn_before as materialized (select ${read('after_owner')}, ${read('after_workspace')})`;
}

type Taking = { table: string; key: readonly string[]; isTaken: Prisma.Sql; ofOwner: number; most: number };

/**
 * Goes from `first_due`, `busy` and `page_end` to `chosen`, and stores where the next round goes on. If another process
 * takes turns at the same time, that process stores it.
 */
function takenInTurns(lane: string, { table, key, isTaken, ofOwner, most }: Taking): Prisma.Sql {
  const behindTurn = (owner: string) => Prisma.sql`${Prisma.raw(owner)} <= (select after_owner from turn_before)`;
  return Prisma.sql`ranked as (
      select ${columnsOf('d', key)}, d.due_at, d.owner, coalesce(b.count, 0)
        + row_number() over (partition by d.owner order by d.due_at, ${columnsOf('d', key)}) as rank
      from first_due d left join busy b on b.owner = d.owner
    ), chosen as materialized (
      select ${columnsOf('m', key)}, r.rank, r.owner from ${Prisma.raw(table)} m
      join ranked r on (${columnsOf('r', key)}) = (${columnsOf('m', key)})
      where r.rank <= ${ofOwner}::int and ${isTaken}
      order by r.rank, ${behindTurn('r.owner')}, r.owner, r.due_at, ${columnsOf('m', key)}
      limit ${most}::int for no key update of m skip locked
    ), last_turn as (
      select owner, ${behindTurn('owner')} or (select count(*) from chosen) < ${most}::int as is_round from chosen
      order by rank desc, ${behindTurn('owner')} desc, owner desc limit 1
    ), next_turn as (
      select case when p.workspace_id is not null and coalesce(l.is_round, true)
          then ${NIL_UUID}::uuid else coalesce(l.owner, b.after_owner) end as after_owner,
        case when p.workspace_id is not null and coalesce(l.is_round, true)
          then p.workspace_id else b.after_workspace end as after_workspace
      from turn_before b cross join page_end p left join last_turn l on true
    ), moved_on as (
      update turn t set after_owner = n.after_owner, after_workspace = n.after_workspace from next_turn n
      where (t.after_owner, t.after_workspace) is distinct from (n.after_owner, n.after_workspace)
        and t.lane in (select lane from turn where lane = ${lane} for no key update skip locked)
    )`;
}

/** For each value of the column without a claimed row, the first of its due rows. */
function firstOfEach(from: Prisma.Sql, due: Prisma.Sql, column: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    select distinct on (o.${column}) o.* from (${due}) o
    where not exists (select from ${from} u where u.${column} = o.${column} and u.claimed_until > now())
    order by o.${column}, o.due_at, o.id`;
}

type Scanned = { condition: Prisma.Sql; after?: Prisma.Sql };

/** The workspaces with such rows, from the first one after `after` on, as a part of a `with recursive`. */
function waitingWorkspaces(name: string, from: Prisma.Sql, { condition, after }: Scanned): Prisma.Sql {
  const first = after === undefined ? Prisma.sql`workspace_id is not null` : Prisma.sql`workspace_id > ${after}`;
  return Prisma.sql`${Prisma.raw(name)} as (
      (select workspace_id from ${from} where ${first} and ${condition} order by workspace_id limit 1)
      union all
      select (select n.workspace_id from ${from} n where n.workspace_id > w.workspace_id and ${condition}
        order by n.workspace_id limit 1)
      from ${Prisma.raw(name)} w where w.workspace_id is not null
    )`;
}

/** Tables of rows that triggers wrote, by workspace. A round takes some rows of some workspaces, and deletes them. */
type Raised = 'operational_event' | 'raised_alert';

/**
 * The parts of a `with recursive` that end in `turn(workspace_id, place)`: at most `most` workspaces after `after` that
 * have rows. The first workspace of each owner comes before any second one.
 */
export function workspacesInTurns(table: Raised, { after, most }: { after: string; most: number }): Prisma.Sql {
  return Prisma.sql`${waitingWorkspaces('waiting', Prisma.raw(table), {
    condition: Prisma.sql`true`,
    after: Prisma.sql`${after}::uuid`,
  })}, turn as (
      select w.workspace_id, (row_number() over (
        partition by ${ownerOf(Prisma.sql`w.workspace_id`)} order by w.workspace_id))::int as place
      from (select workspace_id from waiting where workspace_id is not null limit ${WORKSPACES}::int) w
      left join workspace o on o.id = w.workspace_id
      order by place, w.workspace_id limit ${most}::int
    )`;
}

/**
 * Where the next round goes on: after the last workspace that was its owner's first, while there may be more of these.
 * Undefined: from the beginning, where the owners' second workspaces are.
 */
export function afterTurns(rows: readonly { workspaceId: string; place: number }[], most: number): string | undefined {
  const firsts = new Set(rows.filter(({ place }) => place === 1).map(({ workspaceId }) => workspaceId));
  return firsts.size < most ? undefined : [...firsts].sort().at(-1);
}
