import type { DbTransaction } from '@posthorn/db/client';
import type { RowQueue, RowsLook, ShownProbe, ShownWorker } from '../rows.ts';
import { servicesElsewhere } from './presence.ts';

const MOST_WORKERS = 200;
const MOST_PROBES = 1_000;

/** Reads the processes and the queues for an operator. */
export async function look(db: Pick<DbTransaction, '$queryRaw'>): Promise<RowsLook> {
  const workers = await db.$queryRaw<ShownWorker[]>`
    select id, role, queue, version, has_bus as "hasBus", slot_count as "slotCount", free_slots as "freeSlots",
      (select count(*)::int from jsonb_object_keys(slow_endpoints)) as "slowEndpoints", started_at as "startedAt",
      greatest(0, extract(epoch from clock_timestamp() - seen_at))::float8 as "silentSeconds"
    from worker order by role, started_at, id limit ${MOST_WORKERS}::int`;
  const [mixed] = await db.$queryRaw<{ isMixed: boolean }[]>`select ${servicesElsewhere('postgres')} as "isMixed"`;
  const paused = await db.$queryRaw<{ queue: RowQueue }[]>`select queue from paused_queue order by queue`;
  const probes = await db.$queryRaw<ShownProbe[]>`
    select id, task->>'kind' as kind, (task->>'workspaceId')::uuid as "workspaceId",
      (task->>'endpointId')::uuid as "endpointId", begins_by as "beginsBy", taken_by as "takenBy"
    from probe where ended_at is null order by taken_by is not null, owner_rank, begins_by limit ${MOST_PROBES}::int`;
  return { workers, isMixed: mixed?.isMixed ?? false, paused: paused.map(({ queue }) => queue), probes };
}
