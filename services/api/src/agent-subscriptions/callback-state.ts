import type { CallbackFailure } from '@posthorn/contract/agents';
import { uuidTime } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { lowestKeyAt, rangeOf } from '@posthorn/db/uuid-range';
import { IN_LINE } from '@posthorn/ledger/waiting';

/** The state of a subscription's callback. */
export type CallbackState = {
  /** The breaker is open: events wait. */
  isSuspended: boolean;
  failingSince: Date | null;
  /**
   * The time until the next event is sent, while events wait for the rate limit or for the pace after an outage of this
   * service; otherwise null.
   */
  throttledMs: number | null;
  lastDeliveryAt: Date | null;
  /** How the latest attempt failed; null if it did not. */
  lastError: CallbackFailure | null;
};

/** How many of a callback's newest deliveries are read. */
const LOOKED_AT = 20;

/** The deliveries of an endpoint are younger than it, but clocks differ, and an event may wait before it is matched. */
const MARGIN_MS = 86_400_000;

/** Reads the state of these endpoints from their newest deliveries. Without deliveries and failures there is none. */
export async function readCallbackStates(
  db: Pick<Db | DbTransaction, '$queryRaw'>,
  endpointIds: readonly string[],
  now: Date,
): Promise<Map<string, CallbackState>> {
  if (endpointIds.length === 0) return new Map();
  type Row = Omit<CallbackState, 'lastError'> & {
    endpointId: string;
    succeeded: boolean | null;
    errorCode: string | null;
    status: number | null;
  };
  const [oldest] = rangeOf(endpointIds);
  // With these bounds Postgres plans only partitions that may have rows, not every day of the retention and ahead.
  const isIn = Prisma.sql`between ${lowestKeyAt(new Date(uuidTime(oldest).getTime() - MARGIN_MS))}::uuid
    and ${lowestKeyAt(new Date(now.getTime() + MARGIN_MS))}::uuid`;
  const rows = await db.$queryRaw<Row[]>`
    select e.id as "endpointId", coalesce(h.open_until is not null, false) as "isSuspended",
      h.failing_since as "failingSince", l."throttledMs", d."lastDeliveryAt", t.succeeded, t.error_code as "errorCode",
      t.response_status as status
    from unnest(${[...endpointIds]}::uuid[]) as e(id)
    left join endpoint_health h on h.endpoint_id = e.id
    left join lateral (
      select greatest(0, ceil(extract(epoch from n.next_at - now()) * 1000))::float8 as "throttledMs"
      from endpoint_line n where n.endpoint_id = e.id and h.open_until is null
        and exists (select from delivery d where d.endpoint_id = e.id and d.id ${isIn} and ${IN_LINE})) l on true
    left join lateral (
      select max(n.delivered_at) as "lastDeliveryAt",
        -- The latest attempt of a delivery that has ended well succeeded, so usually no attempt need be read.
        case when bool_or(n.total_attempts > 0 and n.status <> 'delivered') then array_agg(n.id) end as tried
      from (
        select id, status, total_attempts, delivered_at from delivery
        where endpoint_id = e.id and id ${isIn} order by id desc limit ${LOOKED_AT}::int) n) d on true
    left join lateral (
      select a.* from unnest(d.tried) as n(id) cross join lateral (
        select started_at, succeeded, error_code, response_status from attempt
        where delivery_id = n.id and delivery_id ${isIn} order by id desc limit 1) a
      order by a.started_at desc limit 1) t on true`;
  return new Map(
    rows.map(({ endpointId, succeeded, errorCode, status, ...state }) => [
      endpointId,
      { ...state, lastError: succeeded === false ? callbackFailure(errorCode, status) : null },
    ]),
  );
}

/**
 * The category of a failed attempt (docs/interface.md, Agents subscribe). It repeats nothing that the callback wrote.
 */
export function callbackFailure(errorCode: string | null, status: number | null): CallbackFailure {
  if (errorCode === 'timeout') return 'timeout';
  if (errorCode === 'tls_error') return 'tls_error';
  if (status !== null && status >= 500) return 'http_5xx';
  // After a status below 300, the answer broke off.
  if (status !== null && status >= 300) return 'http_4xx';
  return 'connection_refused';
}
