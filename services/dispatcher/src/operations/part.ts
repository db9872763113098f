import type { DbTransaction } from '@posthorn/db/client';
import { type EndpointPace, FADES_IN_SECONDS, faded } from './pace.ts';
import type { Phase } from './scope.ts';
import type { Turn } from './turn.ts';

/** The part of an operation that concerns one endpoint. */
export type Part = { endpointId: string; phase: Phase; position: string };

/** The progress of the part's deliveries since the part was last moved on, and the number of notes that reported it. */
export type Progress = { noted: number; attempted: number; delivered: number; failed: number; takenOver: number };

/** The result of a step. */
export type Step = Pick<Part, 'phase' | 'position'> & {
  matched?: number;
  enqueued?: number;
  /** The enqueued deliveries that are due. The others wait behind the head of their order, without a job. */
  due?: number;
  /** The enqueued deliveries whose ends must still be counted: all, unless the operation cancels. */
  unended?: number;
  failed?: number;
};

/** The most notes that one step counts. */
export const PROGRESS_AT_ONCE = 5_000;

type LiveRow = Part & { operationId: string; waiting: number; settled: number; ageSeconds: number };

/**
 * Locks the parts of all operations with open deliveries of this endpoint, so that they keep its pace together.
 * Attempts that are noted make room at once, although their operations count them only later. Undefined if the
 * operation has no part for the endpoint.
 */
export async function lockPart(
  transaction: DbTransaction,
  { operationId }: Turn,
  endpointId: string,
): Promise<{ part: Part; pace: Omit<EndpointPace, 'isBusy'> } | undefined> {
  const locked = await transaction.$queryRaw<{ id: string }[]>`
    select operation_id as id from operation_part where endpoint_id = ${endpointId}::uuid
      and (phase <> 'done' or waiting > 0 or operation_id = ${operationId}::uuid)
    order by operation_id for update`;
  // Read in a second statement, because only that sees everything that the previous holders of the locks wrote.
  const rows = await transaction.$queryRaw<LiveRow[]>`
    select p.operation_id as "operationId", p.endpoint_id as "endpointId", p.phase, p.position, p.settled,
      case when p.waiting = 0 then 0 else greatest(0, p.waiting - (
        select count(*) filter (where attempted) from (
          select attempted from operation_progress where operation_id = p.operation_id and endpoint_id = p.endpoint_id
          limit ${PROGRESS_AT_ONCE}::int) noted))::int end as waiting,
      extract(epoch from now() - p.turn_at)::float8 as "ageSeconds"
    from operation_part p
    where p.endpoint_id = ${endpointId}::uuid and p.operation_id = any(${locked.map(({ id }) => id)}::uuid[])`;
  const own = rows.find((row) => row.operationId === operationId);
  if (own === undefined) return undefined;
  const pace = { waiting: 0, settled: 0 };
  for (const { waiting, settled, ageSeconds } of rows) {
    pace.waiting += waiting;
    pace.settled += faded(settled, ageSeconds);
  }
  return { part: { endpointId, phase: own.phase, position: own.position }, pace };
}

/**
 * Reads and deletes the noted progress of a part. Deletes by ctid: Postgres seldom has statistics of this table, so a
 * join by key might take time that grows with the square of the number of notes.
 */
export async function takeProgress(transaction: DbTransaction, { operationId }: Turn, endpointId: string) {
  const [progress] = await transaction.$queryRaw<Progress[]>`
    with taken as (
      delete from operation_progress where ctid = any(array(
        select ctid from operation_progress where operation_id = ${operationId}::uuid and endpoint_id = ${endpointId}::uuid
        limit ${PROGRESS_AT_ONCE}::int))
      returning *
    )
    select count(*)::int as noted, (count(*) filter (where attempted))::int as attempted,
      (count(*) filter (where delivered))::int as delivered, (count(*) filter (where failed))::int as failed,
      (count(*) filter (where taken_over))::int as "takenOver" from taken`;
  return progress ?? { noted: 0, attempted: 0, delivered: 0, failed: 0, takenOver: 0 };
}

/** Writes the result of a step, and the progress before it, to the part and its operation. */
export async function writeStep(
  transaction: DbTransaction,
  { operationId }: Turn,
  { endpointId, progress, step }: { endpointId: string; progress: Progress; step: Step },
): Promise<void> {
  const { phase, position, matched = 0, enqueued = 0, due = 0, unended = enqueued, failed = 0 } = step;
  const ended = progress.delivered + progress.failed + progress.takenOver;
  await transaction.$executeRaw`
    update operation_part set phase = ${phase}::operation_phase, position = ${position}::uuid,
      waiting = greatest(0, waiting - ${progress.attempted}::int + ${due}::int),
      settled = settled * exp(-extract(epoch from now() - turn_at)::float8 / ${FADES_IN_SECONDS}::float8) + ${progress.attempted}::int,
      turn_at = now()
    where operation_id = ${operationId}::uuid and endpoint_id = ${endpointId}::uuid`;
  if (matched + enqueued + failed + ended + progress.attempted === 0) return;
  await transaction.$executeRaw`
    update operation set matched = matched + ${matched}::int, enqueued = enqueued + ${enqueued}::int,
      delivered = delivered + ${progress.delivered}::int, failed = failed + ${progress.failed + failed}::int,
      unended = unended + ${unended - ended}::int, updated_at = now()
    where id = ${operationId}::uuid`;
}

/** Endpoints whose walk has not ended, those that have waited longest first, and endpoints with noted progress. */
export async function partsToMove(
  db: Pick<DbTransaction, '$queryRaw'>,
  { operationId }: Turn,
  limit: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ endpointId: string }[]>`
    select parts.endpoint_id as "endpointId" from (
      (select p.endpoint_id, p.turn_at from operation_part p
        join operation o on o.id = p.operation_id and o.finished_at is null and o.paused_at is null
        where p.operation_id = ${operationId}::uuid and (case when o.status = 'counting'
          then p.phase in ('count_deliveries', 'count_events') else p.phase <> 'done' end)
        order by p.turn_at limit ${limit}::int)
      union all
      (select distinct noted.endpoint_id, '-infinity'::timestamptz from (
        select endpoint_id from operation_progress where operation_id = ${operationId}::uuid
        limit ${PROGRESS_AT_ONCE}::int) noted limit ${limit}::int)
    ) parts group by parts.endpoint_id order by min(parts.turn_at)`;
  return rows.map((row) => row.endpointId);
}
