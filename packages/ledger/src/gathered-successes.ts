import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';

/**
 * Successes at endpoints that failed within the last five minutes, settled by this process and not yet counted in
 * `endpoint_health`, by endpoint. Without it every settle with a success of such an endpoint writes its one row.
 */
export type GatheredSuccesses = Map<string, number>;

/** Takes what a batch with failures of these endpoints is to count along: so its verdict misses none of this process. */
export function takeGathered(gathered: GatheredSuccesses, endpointIds: Iterable<string>) {
  const taken: { endpoint_id: string; attempts: number }[] = [];
  for (const endpointId of new Set(endpointIds)) {
    const attempts = gathered.get(endpointId);
    if (attempts !== undefined && gathered.delete(endpointId)) taken.push({ endpoint_id: endpointId, attempts });
  }
  return taken;
}

/**
 * Counts what was gathered where the five minutes still go on, in the order of the keys, as every writer of these rows.
 * What it has taken is lost when it fails: successes of about a second then count towards no verdict.
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
