import type { Db } from '@posthorn/db/client';

// Lag stays in the topics: a source brings no more events than its workspace can deliver.

/** A workspace takes no more while so many of its deliveries are due, or one of them has been for so long. */
const MOST = { due: 20_000, dueSeconds: 10 };
/** How many due rows of all workspaces are looked at, oldest first. */
const LOOKED_AT = 2 * MOST.due;

export type Brake = {
  /** Looks how far these workspaces are. */
  look(db: Db, workspaceIds: readonly string[]): Promise<void>;
  /** Whether the workspace takes no more for now. */
  holds(workspaceId: string): boolean;
  /** Counts events until the next look, so that a fast topic does not bring any number of them in between. */
  count(workspaceId: string, events: number): void;
};

/** Before the first look at a workspace, it has all its room. */
export function createBrake(): Brake {
  let rooms = new Map<string, number>();
  return {
    async look(db, workspaceIds) {
      const waiting = await readWaiting(db, workspaceIds);
      rooms = new Map(
        workspaceIds.map((id) => {
          const { due = 0, isLate = false } = waiting.get(id) ?? {};
          return [id, isLate ? 0 : MOST.due - due];
        }),
      );
    },
    holds: (workspaceId) => (rooms.get(workspaceId) ?? MOST.due) <= 0,
    count(workspaceId, events) {
      rooms.set(workspaceId, (rooms.get(workspaceId) ?? MOST.due) - events);
    },
  };
}

type Waiting = { due: number; isLate: boolean };

/** First attempts that are due, and events whose deliveries are not made yet. Retries wait for their receivers, not for us. */
async function readWaiting(db: Db, workspaceIds: readonly string[]): Promise<Map<string, Waiting>> {
  if (workspaceIds.length === 0) return new Map();
  const rows = await db.$queryRaw<(Waiting & { workspaceId: string })[]>`
    select workspace_id as "workspaceId", count(*)::int as due, bool_or(is_late) as "isLate" from (
      select workspace_id, due_at < now() - make_interval(secs => ${MOST.dueSeconds}::int) as is_late from (
        select workspace_id, due_at, status, schedule_step from delivery
        where due_at is not null and due_at <= now() order by due_at limit ${LOOKED_AT}::int) d
      where status = 'pending' and schedule_step = 0
      union all
      select e.workspace_id, false from (select event_id from pending_fan_out limit ${LOOKED_AT}::int) f
      join event e on e.id = f.event_id) w
    where workspace_id = any(${workspaceIds}::uuid[]) group by workspace_id`;
  return new Map(rows.map(({ workspaceId, ...one }) => [workspaceId, one]));
}
