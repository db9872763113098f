import type { Db } from '@posthorn/db/client';

// Keeps lag in the topics: a source brings no more events than its workspace can deliver.

/** A workspace takes no more while this many of its deliveries are due, or one has been due for this long. */
const MOST = { due: 20_000, dueSeconds: 10 };
/** How many due rows of all workspaces to look at, oldest first, and how many events that wait for their fan-out. */
const LOOKED_AT = 2 * MOST.due;

export type Brake = {
  /** Checks how much these workspaces have waiting. */
  look(db: Db, workspaceIds: readonly string[]): Promise<void>;
  /** Whether the workspace takes no more for now. */
  holds(workspaceId: string): boolean;
  /** Counts what waits, until the next look: so a fast topic does not bring any number of deliveries in between. */
  count(workspaceId: string, waiting: number): void;
};

/**
 * Before the first look, a workspace has its full room. If others have more due rows than a look reads, this
 * workspace's rows may lie behind those. Then its room only shrinks, by the events that it brings, until it is used up.
 * From then on, workspaces that hold are read individually, one at each look.
 */
export function createBrake(): Brake {
  let rooms = new Map<string, number>();
  let turn = 0;
  const roomOf = (workspaceId: string) => rooms.get(workspaceId) ?? MOST.due;
  return {
    async look(db, workspaceIds) {
      const seen = (await readWaiting(db, workspaceIds)).map((one) => ({ ...one, room: roomBeside(one) }));
      rooms = new Map(
        seen.map(({ workspaceId, room, isPart }) => [workspaceId, isPart ? Math.min(room, roomOf(workspaceId)) : room]),
      );
      const unsure = seen.filter(({ workspaceId, room }) => room > 0 && roomOf(workspaceId) <= 0);
      const chosen = unsure[turn++ % unsure.length];
      if (chosen !== undefined) rooms.set(chosen.workspaceId, roomBeside(await readWaitingOf(db, chosen.workspaceId)));
    },
    holds: (workspaceId) => roomOf(workspaceId) <= 0,
    count(workspaceId, waiting) {
      rooms.set(workspaceId, roomOf(workspaceId) - waiting);
    },
  };
}

/**
 * Due first attempts, and events whose deliveries are not created yet. Retries wait for their receivers, not for us.
 */
type Waiting = { due: number; isLate: boolean };

const roomBeside = ({ due, isLate }: Waiting) => (isLate ? 0 : MOST.due - due);

/**
 * How much each workspace has waiting. `isPart`: there may be more. The due times of deliveries have an index, but not
 * together with the workspace.
 */
async function readWaiting(
  db: Db,
  workspaceIds: readonly string[],
): Promise<(Waiting & { workspaceId: string; isPart: boolean })[]> {
  if (workspaceIds.length === 0) return [];
  return db.$queryRaw`
    with due as materialized (
      select workspace_id, due_at, status, schedule_step from delivery
      where due_at is not null and due_at <= now() order by due_at limit ${LOOKED_AT}::int
    ), unmade as materialized (
      select e.workspace_id from (select event_id from pending_fan_out order by event_id limit ${LOOKED_AT}::int) f
      left join lateral (select workspace_id from event where id = f.event_id offset 0) e on true
    ), waiting as (
      select workspace_id, due_at < now() - make_interval(secs => ${MOST.dueSeconds}::int) as is_late from due
      where status = 'pending' and schedule_step = 0
      union all select workspace_id, false from unmade
    )
    select o.id as "workspaceId", count(w.workspace_id)::int as due, coalesce(bool_or(w.is_late), false) as "isLate",
      greatest((select count(*) from due), (select count(*) from unmade)) >= ${LOOKED_AT}::int as "isPart"
    from unnest(${workspaceIds}::uuid[]) as o(id) left join waiting w on w.workspace_id = o.id group by o.id`;
}

/** How much a workspace has waiting among its newest deliveries and events, because the oldest are delivered first. */
async function readWaitingOf(db: Db, workspaceId: string): Promise<Waiting> {
  const [row] = await db.$queryRaw<[Waiting]>`
    with due as (
      select due_at < now() - make_interval(secs => ${MOST.dueSeconds}::int) as is_late from (
        select due_at, status, schedule_step from delivery
        where workspace_id = ${workspaceId}::uuid order by id desc limit ${MOST.due}::int) d
      where status = 'pending' and schedule_step = 0 and due_at <= now()
    ), unmade as (
      select from (select id from event where workspace_id = ${workspaceId}::uuid order by id desc limit ${MOST.due}::int) e
      where exists (select from pending_fan_out where event_id = e.id)
    )
    select ((select count(*) from due) + (select count(*) from unmade))::int as due,
      coalesce((select bool_or(is_late) from due), false) as "isLate"`;
  return row;
}
