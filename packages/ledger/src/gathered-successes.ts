import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';

/**
 * For each endpoint, the successes that this process settled within five minutes of a failure and that are not in
 * `endpoint_health` yet. Without it, every settle with a success at such an endpoint would write the endpoint's only
 * row.
 */
export type GatheredSuccesses = Map<string, number>;

/**
 * Takes the gathered successes of these endpoints, so that a batch with failures counts all outcomes of this process.
 */
export function takeGathered(gathered: GatheredSuccesses, endpointIds: Iterable<string>) {
  const taken: { endpoint_id: string; attempts: number }[] = [];
  for (const endpointId of new Set(endpointIds)) {
    const attempts = gathered.get(endpointId);
    if (attempts !== undefined && gathered.delete(endpointId)) taken.push({ endpoint_id: endpointId, attempts });
  }
  return taken;
}

/**
 * Adds the gathered successes to the rows whose five minutes have not ended, in key order as every writer of these
 * rows. If the write fails, they are lost, and about a second of successes does not count towards the breaker.
 */
export async function writeGathered(db: Db, gathered: GatheredSuccesses): Promise<void> {
  const taken = JSON.stringify(takeGathered(gathered, gathered.keys()));
  await retryConflicts(
    () => db.$executeRaw`
      with gathered as materialized (
        select * from json_to_recordset(${taken}::json) as g(endpoint_id uuid, attempts int)
      ), locked as materialized (
        select h.endpoint_id, g.attempts from endpoint_health h join gathered g on g.endpoint_id = h.endpoint_id
        where h.window_started_at > now() - interval '5 minutes'
        order by h.endpoint_id for no key update of h
      )
      update endpoint_health h set window_attempts = h.window_attempts + l.attempts
      from locked l where h.endpoint_id = l.endpoint_id`,
  );
}
