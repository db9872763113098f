-- Claims the deliveries that are due by Postgres' clock, or whose turn it is in a line, and returns them with their events. It
-- checks the endpoint, so a change or deletion of it applies to every attempt that has not started, and ends what can never be
-- attempted (src/claim.ts). `due_at` is left as it is, except of a row in a line: a change of it would write the row into every
-- index again, at a third of the claim's cost.
--
-- $1 uuid[]  the ids of the deliveries; $2 and $3 are the lowest and the highest of them, by which Postgres prunes partitions
-- $4, $5     the lowest and the highest id of their events
-- $6 uuid[]  their endpoints
-- $7 uuid    the token of the lease
-- $8 int     the timeout in seconds of an endpoint without one of its own; $9 int: a lease lasts this much longer
-- $10 uuid[] deliveries that are claimed in isolation; $11 whose turn it is in the line; $12 that are probes of open breakers
-- $13 timestamptz  leases that had ended then are taken over
-- $14 int    lost leases in a row with which a delivery is claimed in isolation only; $15 int: with which it is quarantined
-- $16 int    a sealed payload of more bytes is left out
with
-- order {
-- The locks of the orders whose heads may end, in the sequence in which all processes take them.
locks as materialized (
  select pg_advisory_xact_lock(l.lock) from (
    select distinct ordering_lock(endpoint_id, ordering_key) as lock from delivery
    where id = any($1::uuid[]) and id between $2::uuid and $3::uuid and ordering_key is not null order by 1) l
),
-- } without:
claimed as (
  update delivery d set
    status = (case
      when d.is_test then case d.status when 'delivering' then 'dead_letter' else 'failed' end
      when k.is_gone then 'failed'
      when (d.status = 'delivering' and not d.is_pulled and d.lost_leases + 1 >= $15::int) then 'dead_letter'
      else 'delivering' end)::delivery_status,
    failure_reason = case
      when d.is_test then case d.status when 'delivering' then 'retries_exhausted' else 'cancelled' end
      when p.is_temporary and k.is_gone then 'subscription_ended'
      when p.deleted_at is not null then 'endpoint_deleted'
      when not p.is_active then 'endpoint_inactive'
      when (d.status = 'delivering' and not d.is_pulled and d.lost_leases + 1 >= $15::int) then 'quarantined' end,
    due_at = case when d.is_test or k.is_gone or (d.status = 'delivering' and not d.is_pulled and d.lost_leases + 1 >= $15::int) then null when (d.due_at >= '7000-01-01 00:00:00+00'::timestamptz and d.due_at < '9999-12-31 00:00:00+00'::timestamptz) then now() else d.due_at end,
    -- A claim only ends what consumers fetch, and the one that leased it last may still answer.
    lease_token = case when d.is_pulled then d.lease_token else $7::uuid end,
    leased_until = case when not (d.is_test or k.is_gone or (d.status = 'delivering' and not d.is_pulled and d.lost_leases + 1 >= $15::int)) then
      now() + make_interval(secs => coalesce(p.timeout_seconds, $8::int) + $9::int) end,
    lost_leases = greatest(d.lost_leases + (d.status = 'delivering')::int, 0),
    updated_at = now()
  from endpoint p
  cross join lateral (
    -- Nothing is sent to an endpoint that is inactive, deleted, or of an agent whose subscription has ended.
    select p.deleted_at is not null or not p.is_active or p.is_temporary and not exists (
      select from agent_subscription a
      where a.endpoint_id = p.id and a.ended_at is null and a.expires_at > now() offset 0) as is_gone) k
  where d.id = any($1::uuid[]) and d.id between $2::uuid and $3::uuid and p.id = d.endpoint_id and p.id = any($6::uuid[])
    and (d.due_at <= now() or (d.due_at >= '7000-01-01 00:00:00+00'::timestamptz and d.due_at < '9999-12-31 00:00:00+00'::timestamptz) and d.id = any($11::uuid[]))
    -- Versions before `leased_until` left delivering rows without one; their due time is the end of the lease. What a consumer holds
    -- is left to the end of its lease (`expire-leases.ts`), which is an attempt.
    and (d.status in ('pending', 'scheduled_retry')
      or (d.status = 'delivering' and not d.is_pulled and coalesce(d.leased_until, d.due_at) <= least(now(), $13::timestamptz)))
    -- order {
    -- Without a reference to a row, so that Postgres takes the locks before it reads the first row.
    and (select count(*) from locks) >= 0
    -- } without: and (d.ordering_key is null or not (k.is_gone or (d.status = 'delivering' and not d.is_pulled and d.lost_leases + 1 >= $15::int)))
    and (not d.is_pulled or k.is_gone or (d.status = 'delivering' and not d.is_pulled and d.lost_leases + 1 >= $15::int))
    and (d.lost_leases + (d.status = 'delivering')::int < $14::int or d.id = any($10::uuid[]))
    -- An open breaker stops all but its probe, and leases that were lost; an offer that has ended is no lost lease.
    and (d.endpoint_id not in (select endpoint_id from endpoint_health where endpoint_id = any($6::uuid[]) and open_until is not null)
      or d.is_test or d.id = any($12::uuid[]) or d.status = 'delivering' and d.lost_leases >= 0 or k.is_gone)
  returning d.id, d.event_id, d.workspace_id, d.endpoint_id, p.revision, d.status, d.failure_reason, d.total_attempts,
    d.manual_retries, d.next_trigger, d.schedule_step, d.lost_leases, d.event_type as delivery_event_type, d.is_test,
    d.ordering_key, case when p.is_temporary then (
      select extract(epoch from a.expires_at - now()) * 1000 from agent_subscription a
      where a.endpoint_id = p.id)::float8 end as life_ms
)
select c.*,
  -- The first 48 bits of a UUIDv7 are its time in milliseconds.
  (extract(epoch from now())
    - ('x' || translate(left(c.event_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)::float8 as event_age_seconds,
  e.id is not null as has_event, e.event_type, e.idempotency_key, e.ordering_key as event_ordering_key, e.content_type,
  e.deliver_at, e.payload is null and e.payload_size > 0 as is_erased,
  -- `offset 0`: otherwise a kept plan may read the whole table and hash it.
  exists (select from short_payload s where s.event_id = e.id and s.has_one_attempt offset 0) as has_one_attempt,
  case when octet_length(e.payload) <= $16::int then e.payload end as payload,
  case when octet_length(e.payload) > $16::int then octet_length(e.payload) end as left_out_bytes
from claimed c
left join lateral (select * from event where id = c.event_id and id between $4::uuid and $5::uuid offset 0) e on true
