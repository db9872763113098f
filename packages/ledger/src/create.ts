import { Prisma } from '@posthorn/db/generated/client';

/**
 * Inserts a `pending` delivery, due now, for each row of `source` (columns `id, event_id, endpoint_id, workspace_id,
 * environment_id, event_type`) and returns the ids of those that are new: an id is derived from its event and endpoint,
 * so a repeated insert makes nothing twice. The statement may be a part of a larger one.
 */
export function createDeliveries(source: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, due_at)
    select id, event_id, endpoint_id, workspace_id, environment_id, event_type, now() from ${source}
    on conflict do nothing returning id`;
}
