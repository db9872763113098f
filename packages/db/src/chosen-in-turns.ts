import { Prisma } from './generated/client.ts';

/** Tables of messages that wait, each with an index on `(workspace_id, due_at)` where `due_at is not null`. */
type Waiting = 'outgoing_mail' | 'outgoing_alert';

/** More workspaces that have messages that are due are looked at once earlier ones have none. */
const WORKSPACES = 1_000;

type Turns = {
  /** The most of one workspace, the claimed ones included. */
  ofWorkspace: number;
  most: number;
  /** A column: of the rows with one value of it, one at a time is claimed. It needs an index. */
  oneOfEach?: 'rule_id';
};

/**
 * The parts of a `with recursive` that end in `chosen(id)`: rows of a table that are due and not claimed, locked, the ones due
 * first before others. Of one workspace there are at most `ofWorkspace`, the claimed ones included, however many wait: no
 * workspace makes another one wait. Rows without a workspace are together like one.
 */
export function chosenInTurns(table: Waiting, { ofWorkspace, most, oneOfEach }: Turns): Prisma.Sql {
  const from = Prisma.raw(table);
  const dueOf = (workspace: Prisma.Sql) => {
    const due = Prisma.sql`
      select * from ${from}
      where workspace_id ${workspace} and due_at <= now() and (claimed_until is null or claimed_until < now())`;
    const apart = oneOfEach === undefined ? due : firstOfEach(from, due, Prisma.raw(oneOfEach));
    return Prisma.sql`
      select id, due_at, row_number() over (order by due_at, id) as rank from (
        select id, due_at from (${apart}) due order by due_at, id limit ${ofWorkspace}::int) first_due`;
  };
  return Prisma.sql`workspace as (
      (select workspace_id from ${from} where due_at <= now() and workspace_id is not null order by workspace_id limit 1)
      union all
      select (select o.workspace_id from ${from} o where o.due_at <= now() and o.workspace_id > w.workspace_id
        order by o.workspace_id limit 1)
      from workspace w where w.workspace_id is not null
    ), candidate as (
      select d.id, d.due_at from (
        select workspace_id from workspace where workspace_id is not null limit ${WORKSPACES}::int) w
      cross join lateral (
        select count(*) as busy from ${from} b
        where b.workspace_id = w.workspace_id and b.due_at is not null and b.claimed_until > now()) b
      cross join lateral (${dueOf(Prisma.sql`= w.workspace_id`)}) d
      where b.busy + d.rank <= ${ofWorkspace}::int
      union all
      select id, due_at from (${dueOf(Prisma.sql`is null`)}) d
    ), chosen as materialized (
      select m.id from ${from} m join candidate c on c.id = m.id
      where m.due_at <= now() and (m.claimed_until is null or m.claimed_until < now())
      order by c.due_at, m.id limit ${most}::int for update of m skip locked
    )`;
}

/** Of those that are due, the first for each value of the column that has none under way. */
function firstOfEach(from: Prisma.Sql, due: Prisma.Sql, column: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    select distinct on (o.${column}) o.id, o.due_at from (${due}) o
    where not exists (select from ${from} u where u.${column} = o.${column} and u.claimed_until > now())
    order by o.${column}, o.due_at, o.id`;
}
