-- Writes attempts and the states after them (src/settle.ts says what a stale lease may do). Returns a row for each delivery that
-- it changed; `gathers` says that a success at its endpoint changes only the count of attempts, and is gathered by the caller.
--
-- $1 json    the results, by the ids of their deliveries: one text instead of 26 arrays, on which the driver would spend a third
--            of the time
-- $2 json    successes that were gathered before: endpoint_id, attempts
-- $3 text[]  codes of errors that say nothing about the receiver: they change neither breaker nor health
-- $4 bool    whether the caller gathers successes
-- $5 uuid[]  the ids of the deliveries; $6 and $7 are the lowest and the highest of them, by which Postgres prunes partitions
-- $8 uuid[]  the orders of heads that may end: their endpoints; $9 text[] their keys
with
-- order {
-- All processes take the locks of orders in the same sequence, so two statements cannot deadlock.
locks as materialized (
  select pg_advisory_xact_lock(l.lock) from (
    select distinct ordering_lock(endpoint_id, ordering_key) as lock
    from unnest($8::uuid[], $9::text[]) as o(endpoint_id, ordering_key) order by 1) l
),
-- } without:
result as materialized (
  select * from json_to_recordset($1::json) as r(
    delivery_id uuid, endpoint_id uuid, lease_token uuid, status delivery_status, failure_reason text, cancel_reason text,
    delay_seconds float8, attempt_id uuid, number int, trigger attempt_trigger, succeeded bool,
    started_at timestamptz, duration_ms real, dns_ms real, connect_ms real, tls_ms real, ttfb_ms real, url text,
    request_headers json, request_body text, response_status smallint, response_headers_sealed text,
    response_body_sealed text, response_truncated bool, error_code text, error_message text, remote_address text,
    reconnected bool, acknowledgement json)
), attempts as (
  insert into attempt (delivery_id, id, number, trigger, succeeded, started_at, duration_ms, dns_ms, connect_ms,
    tls_ms, ttfb_ms, url, request_headers, request_body, response_status, response_headers_sealed, response_body_sealed,
    response_truncated, error_code, error_message, remote_address, reconnected, acknowledgement)
  select delivery_id, attempt_id, number, trigger, succeeded, started_at, duration_ms, dns_ms, connect_ms,
    tls_ms, ttfb_ms, url, request_headers, decode(request_body, 'base64'), response_status,
    decode(response_headers_sealed, 'base64'), decode(response_body_sealed, 'base64'),
    response_truncated, error_code, error_message, remote_address, coalesce(reconnected, false), acknowledgement
  from result where attempt_id is not null
  on conflict do nothing
  returning id
), outcome as materialized (
  -- One row for each endpoint. An attempt that is repeated, and a test, counts nothing.
  select r.endpoint_id, (count(*) + coalesce(max(c.attempts), 0))::int as attempts,
    (count(*) filter (where not succeeded))::int as failures, bool_or(succeeded) as succeeded
  from result r left join json_to_recordset($2::json) as c(endpoint_id uuid, attempts int) on c.endpoint_id = r.endpoint_id
  where attempt_id in (select id from attempts) and (error_code is null or error_code <> all($3::text[])) and trigger <> 'test'
  group by r.endpoint_id
), gathers as materialized (
  select o.endpoint_id from outcome o join endpoint_health h on h.endpoint_id = o.endpoint_id
  where o.failures = 0 and h.consecutive_failures = 0 and h.open_until is null
    and h.window_started_at > now() - interval '5 minutes' and $4::bool
), counted as (
  -- The breaker opens after 10 failures in a row, or when 70 % of at least 20 attempts in 5 minutes failed; in both cases the
  -- failures span at least 30 s. A failed probe delays the next probe by one step. A success closes the breaker. No row is
  -- written for an endpoint that only succeeds. A window lasts five minutes from its first failure; a success that closes
  -- the breaker ends it. All rows are written in the order of their keys, so two settles cannot deadlock.
  insert into endpoint_health as h (endpoint_id, consecutive_failures, failing_since, last_failure_at,
    window_started_at, window_attempts, window_failures)
  select endpoint_id, case when succeeded then 0 else failures end, case when succeeded then null else now() end,
    case when failures > 0 then now() end, case when failures > 0 then now() end, attempts, failures
  from outcome o
  where failures > 0
    or (endpoint_id not in (select endpoint_id from gathers)
      -- `offset 0`: otherwise a kept plan may read the whole table and hash it.
      and exists (select from endpoint_health h where h.endpoint_id = o.endpoint_id
        and (h.consecutive_failures > 0 or h.open_until is not null or h.window_started_at > now() - interval '5 minutes')
        offset 0))
  order by endpoint_id
  on conflict (endpoint_id) do update set
    consecutive_failures = case when excluded.consecutive_failures = 0 then 0
      else h.consecutive_failures + excluded.consecutive_failures end,
    failing_since = case when excluded.consecutive_failures > 0 then coalesce(h.failing_since, now()) end,
    last_failure_at = coalesce(excluded.last_failure_at, h.last_failure_at),
    window_started_at = case when h.window_started_at > now() - interval '5 minutes'
      and (h.open_until is null or excluded.consecutive_failures > 0) then h.window_started_at else excluded.window_started_at end,
    window_attempts = excluded.window_attempts + case when h.window_started_at > now() - interval '5 minutes'
      and (h.open_until is null or excluded.consecutive_failures > 0) then h.window_attempts else 0 end,
    window_failures = excluded.window_failures + case when h.window_started_at > now() - interval '5 minutes'
      and (h.open_until is null or excluded.consecutive_failures > 0) then h.window_failures else 0 end,
    open_step = case
      when h.open_until is null or excluded.consecutive_failures = 0 then 0
      when h.probe_delivery_id in (select delivery_id from result) then least(h.open_step + 1, 4)
      else h.open_step end,
    open_until = case
      when h.open_until is not null and excluded.consecutive_failures = 0 then null
      when h.open_until is not null and h.probe_delivery_id in (select delivery_id from result)
        then now() + (array[60, 120, 300, 600, 600])[h.open_step + 1] * interval '1 second'
      when h.open_until is not null then h.open_until
      when excluded.window_failures = 0 then null
      when excluded.consecutive_failures > 0 and h.failing_since <= now() - interval '30 seconds'
        and h.consecutive_failures + excluded.consecutive_failures >= 10 then now() + interval '30 seconds'
      when h.window_started_at > now() - interval '5 minutes' and h.window_started_at <= now() - interval '30 seconds'
        and h.window_attempts + excluded.window_attempts >= 20
        and h.window_failures + excluded.window_failures >= 0.7 * (h.window_attempts + excluded.window_attempts)
        then now() + interval '30 seconds' end,
    probe_delivery_id = case when excluded.consecutive_failures > 0
      and h.probe_delivery_id not in (select delivery_id from result) then h.probe_delivery_id end
  where excluded.window_failures > 0
    or h.consecutive_failures > 0 or h.open_until is not null or h.window_started_at > now() - interval '5 minutes'
), changed as (
  -- `attempts` is read by a subquery of one value, which Postgres evaluates before it looks again at a row that another
  -- transaction has changed. With `in (select …)`, it would run the insert at that point, and fail with XX000:
  -- "ModifyTable should not be called during EvalPlanQual".
  update delivery d set
    status = r.status,
    failure_reason = r.failure_reason,
    cancel_reason = r.cancel_reason,
    due_at = now() + make_interval(secs => r.delay_seconds),
    generation = d.generation + 1,
    lease_token = null,
    leased_until = null,
    lost_leases = 0,
    schedule_step = d.schedule_step + (r.status = 'scheduled_retry')::int,
    next_trigger = 'schedule',
    total_attempts = greatest(d.total_attempts, r.number),
    last_response_status = case when r.attempt_id is null then d.last_response_status else r.response_status end,
    first_attempt_at = coalesce(d.first_attempt_at, r.started_at),
    delivered_at = case when r.status = 'delivered' then coalesce(d.delivered_at, now()) else d.delivered_at end,
    updated_at = now()
  from result r
  where d.id = any($5::uuid[]) and d.id between $6::uuid and $7::uuid and d.id = r.delivery_id
    -- order {
    and (select count(*) from locks) > 0
    -- } without:
    and ((d.status = 'delivering' and d.lease_token = r.lease_token)
      or (r.succeeded and d.status <> 'delivered' and r.attempt_id = any((select array_agg(id) from attempts)::uuid[])))
  returning d.id, d.generation, d.endpoint_id,
    r.succeeded and d.endpoint_id in (select endpoint_id from gathers) as gathers,
    case when d.due_at is null then d.ordering_key end as ended_key
)
-- order {
, followers as materialized (
  -- The next head of each order whose head has ended.
  select o.* from (
    select array_agg(endpoint_id) as endpoints, array_agg(ended_key) as keys, array_agg(id) as ids
    from changed where ended_key is not null) e
  cross join lateral leave_orders(e.endpoints, e.keys, e.ids) o
)
select c.id, c.generation, c.endpoint_id, c.gathers, o.endpoint_id as "endpointId", o.ordering_key as "orderingKey",
  o.delivery_id as "deliveryId", o.event_id as "eventId", o.workspace_id as "workspaceId",
  o.released_generation as "releasedGeneration"
from changed c left join followers o on o.endpoint_id = c.endpoint_id and o.ordering_key = c.ended_key
-- } without: select id, generation, endpoint_id, gathers from changed
