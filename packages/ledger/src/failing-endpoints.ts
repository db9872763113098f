import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';

/** Condition: the row `h` of `endpoint_health` says that its endpoint has only failed. */
export const ONLY_FAILS = Prisma.sql`(h.failing_since <= now() - interval '5 days'
  and h.last_failure_at >= h.failing_since + interval '12 hours')`;

/**
 * Endpoints to deactivate as `failing` (docs/interface.md, Deactivation): there was no success since a failure 5 days
 * ago, and at least 12 h lie between that failure and the last one. Without new events, the last failure may be old. An
 * endpoint that a person activated again, or gave another URL or other credentials, is left out, because that resets
 * its health. An agent's endpoint ends with its subscription instead. Deactivate an endpoint only at this revision,
 * because a person may change it at any moment.
 */
export function findFailingEndpoints(db: Db): Promise<{ endpointId: string; revision: string }[]> {
  return db.$queryRaw<{ endpointId: string; revision: string }[]>`
    select p.id as "endpointId", p.revision from endpoint_health h join endpoint p on p.id = h.endpoint_id
    where ${ONLY_FAILS} and p.is_active and p.deleted_at is null and not p.is_temporary
    order by p.id limit 1000`;
}
