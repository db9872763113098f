import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { isHopeless, isMissingPartition } from '@posthorn/db/violations';
import { atMost } from '@posthorn/runtime/at-most';
import { LRUCache } from 'lru-cache';
import { writeAttemptBytes } from './attempt-bytes.ts';
import type { Cell, Gatherer } from './gather.ts';
import { type Owner, rowsOf, type StatRow } from './rows.ts';

/** The cells of one statement: up to 5,000 rows, and 1,500 for one environment and type. */
const CELLS = 500;
/** A histogram's entries of the same bucket are added up once it has this many: to append is several times cheaper. */
const MAX_ENTRIES = 64;
const MAX_OWNERS = 20_000;

/**
 * Returns a function that writes all gathered counts, to be called about once a second. Each statement is atomic. When
 * one fails, its cells and the later ones return to the gatherer, and the call rejects. If only the reply was lost, its
 * counts may be counted twice. Cells and bytes that can never be written are dropped. The bytes are written last, so
 * they delay no cell.
 */
export function createStatsWriter(db: Db, gatherer: Gatherer): () => Promise<void> {
  const ownersOf = createOwners(db);
  return async () => {
    const cells = gatherer.take();
    for (let from = 0; from < cells.length; from += CELLS) {
      const part = cells.slice(from, from + CELLS);
      try {
        await writeRows(db, rowsOf(part, await ownersOf(part)));
      } catch (error) {
        const never = isHopeless(error) || isMissingPartition(error);
        if (never) gatherer.drop(part);
        gatherer.putBack(cells.slice(never ? from + CELLS : from));
        throw error;
      }
    }
    const bytes = gatherer.takeAttemptBytes();
    try {
      await writeAttemptBytes(db, bytes);
    } catch (error) {
      if (!isHopeless(error)) gatherer.putBackAttemptBytes(bytes);
      throw error;
    }
  };
}

/**
 * Finds the environment and application of endpoints. They never change, and stay known after an endpoint is deleted.
 */
function createOwners(db: Db) {
  const known = new LRUCache<string, Owner>(atMost(MAX_OWNERS));
  return async (cells: readonly Cell[]): Promise<ReadonlyMap<string, Owner>> => {
    const ids = new Set(cells.flatMap(({ of }) => ('endpointId' in of ? [of.endpointId] : [])));
    const missing = [...ids].filter((id) => !known.has(id));
    if (missing.length > 0) {
      const select = { id: true, environmentId: true, applicationId: true };
      for (const { id, ...owner } of await db.endpoint.findMany({ where: { id: { in: missing } }, select })) {
        known.set(id, owner);
      }
    }
    return new Map([...ids].flatMap((id) => ownerEntry(id, known.get(id))));
  };
}

function ownerEntry(id: string, owner: Owner | undefined): [string, Owner][] {
  return owner === undefined ? [] : [[id, owner]];
}

/** Adds the rows to the stored ones, in the order of their keys, so that two processes never deadlock. */
async function writeRows(db: Db, rows: readonly StatRow[]): Promise<void> {
  if (rows.length === 0) return;
  const given = JSON.stringify(rows);
  await retryConflicts(
    () => db.$executeRaw`
      insert into stat as s (subject_id, is_hour, at, event_type, environment_id, ingested, attempts, succeeded, failed,
        delivered, ended_failed, dead_lettered, duration, delay, last_success_at, last_failure_at)
      select subject_id, is_hour, at, event_type, environment_id, ingested, attempts, succeeded, failed,
        delivered, ended_failed, dead_lettered, duration, delay, last_success_at, last_failure_at
      from json_to_recordset(${given}::json) as g(subject_id uuid, is_hour bool, at timestamptz, event_type text,
        environment_id uuid, ingested int, attempts int, succeeded int, failed int, delivered int, ended_failed int,
        dead_lettered int, duration bigint[], delay bigint[], last_success_at timestamptz, last_failure_at timestamptz)
      order by subject_id, is_hour, at, event_type, environment_id
      on conflict (subject_id, is_hour, at, event_type, environment_id) do update set
        ingested = s.ingested + excluded.ingested,
        attempts = s.attempts + excluded.attempts,
        succeeded = s.succeeded + excluded.succeeded,
        failed = s.failed + excluded.failed,
        delivered = s.delivered + excluded.delivered,
        ended_failed = s.ended_failed + excluded.ended_failed,
        dead_lettered = s.dead_lettered + excluded.dead_lettered,
        duration = case when cardinality(s.duration) < ${MAX_ENTRIES}::int then s.duration || excluded.duration else array(
          select (sum(e >> 8)::bigint << 8) | (e & 255) from unnest(s.duration || excluded.duration) e group by e & 255)
          end,
        delay = case when cardinality(s.delay) < ${MAX_ENTRIES}::int then s.delay || excluded.delay else array(
          select (sum(e >> 8)::bigint << 8) | (e & 255) from unnest(s.delay || excluded.delay) e group by e & 255) end,
        last_success_at = greatest(s.last_success_at, excluded.last_success_at),
        last_failure_at = greatest(s.last_failure_at, excluded.last_failure_at)`,
  );
}
