import type { Db, DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt, NIL_UUID } from '@posthorn/db/uuid-range';
import { isTimedOut } from '@posthorn/db/violations';

// Usage for billing (docs/interface.md, Usage). Nothing is counted while events arrive. Instead, the rows of a minute
// are counted once, a little later, and added to their day in the transaction that moves `counted_to` on. So each row
// is counted exactly once, even if a process ends, and a day before `counted_to` is final.
//
// Each row counts at the time at which it came to be: an event when it was accepted, a delivery when it was created, an
// attempt when it ended. So a retry in December of an event from November is on the bill for December.

/**
 * The age at which a row is counted. By then it is committed, and the clocks of API processes, which give events their
 * time, may differ from Postgres' by minutes.
 */
const LAG_MS = 10 * 60_000;
/**
 * The seconds of rows that a statement counts. If Postgres ends a statement because it takes too long, the next one
 * counts a quarter of that, down to a second, so even a minute with millions of rows gets counted.
 */
const SLICE_SECONDS = 60;
/** Must exceed the time that Postgres lets a statement run. */
const TRANSACTION_MS = 40_000;
const DAY_MS = 86_400_000;

type CountOptions = {
  /** The age at which rows are counted. A test that knows that nothing is in progress need not wait. */
  lagMs?: number;
  stopped?: AbortSignal | undefined;
};

/**
 * Counts all rows that are old enough, or until it is stopped. Returns the number of slices. Concurrent calls are safe:
 * while another process counts, this one counts nothing.
 */
export async function countUsage(db: Db, { lagMs = LAG_MS, stopped }: CountOptions = {}): Promise<number> {
  const [clock] = await db.$queryRaw<{ until: Date }[]>`
    select date_trunc('milliseconds', now()) - make_interval(secs => ${lagMs / 1000}::float8) as until`;
  if (clock === undefined) throw new Error('Postgres returned no time');
  let seconds = SLICE_SECONDS;
  for (let slices = 0; ; ) {
    if (stopped?.aborted) return slices;
    try {
      const next = { until: clock.until, seconds };
      const work = (transaction: DbTransaction) => countSlice(transaction, next);
      if (!(await inTransaction(db, work, { timeoutMs: TRANSACTION_MS }))) return slices;
      slices += 1;
    } catch (error) {
      if (seconds === 1 || !isTimedOut(error)) throw error;
      seconds = Math.max(1, Math.floor(seconds / 4));
    }
  }
}

/**
 * Throws unless every row in the day's partitions has been counted. Ended deliveries get no more attempts, so nothing
 * is added to a day whose deliveries have all ended. Rows from after the count span a few minutes, and are found by
 * their time: `offset 0` keeps Postgres from reading the keys of the whole day instead.
 */
export async function requireCounted(db: Pick<Db, '$queryRaw'>, day: Date): Promise<void> {
  const start = lowestKeyAt(day);
  const endsAt = new Date(day.getTime() + DAY_MS);
  const end = lowestKeyAt(endsAt);
  const [row] = await db.$queryRaw<{ isCounted: boolean }[]>`
    select counted_to >= ${endsAt}::timestamptz
      and not exists (select from (select id from delivery where matched_at >= counted_to offset 0) d
        where d.id >= ${start}::uuid and d.id < ${end}::uuid)
      and not exists (select from (select delivery_id from attempt where settled_at >= counted_to offset 0) a
        where a.delivery_id >= ${start}::uuid and a.delivery_id < ${end}::uuid) as "isCounted"
    from usage_count`;
  if (row?.isCounted !== true) throw new Error('its usage has not been counted yet');
}

type Slice = { from: Date; to: Date };

/** Counts a slice, and returns whether it did. If not, nothing is left, or another process is counting. */
async function countSlice(
  transaction: DbTransaction,
  { until, seconds }: { until: Date; seconds: number },
): Promise<boolean> {
  // A slice ends with its day at the latest.
  const [slice] = await transaction.$queryRaw<Slice[]>`
    select counted_to as "from", least(counted_to + make_interval(secs => ${seconds}::int),
      date_trunc('day', counted_to, 'UTC') + interval '24 hours',
      ${until}::timestamptz) as "to"
    from usage_count for update skip locked`;
  if (slice === undefined || slice.to <= slice.from) return false;
  await addUsage(transaction, slice);
  await transaction.$executeRaw`update usage_count set counted_to = ${slice.to}::timestamptz`;
  return true;
}

/**
 * Adds the rows of a slice to their day. Tests are not counted. A delivery counts for its endpoint's application. So
 * does an event that names its endpoint instead of an application. Each attempt looks its delivery up by key: with a
 * join, Postgres might read all deliveries.
 */
async function addUsage(transaction: DbTransaction, { from, to }: Slice): Promise<void> {
  const first = lowestKeyAt(from);
  const end = lowestKeyAt(to);
  await transaction.$executeRaw`
    with events as (
      select e.workspace_id, coalesce(e.application_id, p.application_id, ${NIL_UUID}::uuid) as application_id,
        sum(e.events) as events, sum(e.bytes) as bytes
      from (
        select workspace_id, application_id, endpoint_id, count(*) as events, sum(payload_size::bigint) as bytes from event
        where id >= ${first}::uuid and id < ${end}::uuid and not is_test group by 1, 2, 3) e
      left join endpoint p on p.id = e.endpoint_id
      group by 1, 2),
    done as (
      select workspace_id, endpoint_id, count(*) as deliveries, 0::bigint as attempts from delivery
      where id >= ${first}::uuid and id < ${end}::uuid and matched_at is null and not is_test group by 1, 2
      union all
      select workspace_id, endpoint_id, count(*), 0 from delivery
      where matched_at >= ${from}::timestamptz and matched_at < ${to}::timestamptz and not is_test group by 1, 2
      union all
      select d.workspace_id, d.endpoint_id, 0, count(*) from attempt a
      cross join lateral (
        select workspace_id, endpoint_id, is_test from delivery where id = a.delivery_id offset 0) d
      where a.settled_at >= ${from}::timestamptz and a.settled_at < ${to}::timestamptz and not d.is_test
      group by 1, 2)
    insert into application_usage as u (workspace_id, application_id, day, events, deliveries, attempts, bytes)
    select workspace_id, application_id, (${from}::timestamptz at time zone 'UTC')::date, sum(events), sum(deliveries),
      sum(attempts), sum(bytes)
    from (
      select workspace_id, application_id, events, 0 as deliveries, 0 as attempts, bytes from events
      union all
      select d.workspace_id, coalesce(p.application_id, ${NIL_UUID}::uuid), 0, d.deliveries, d.attempts, 0
      from done d left join endpoint p on p.id = d.endpoint_id) counted
    group by 1, 2
    on conflict (workspace_id, application_id, day) do update set events = u.events + excluded.events,
      deliveries = u.deliveries + excluded.deliveries, attempts = u.attempts + excluded.attempts,
      bytes = u.bytes + excluded.bytes`;
}
