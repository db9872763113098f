-- Creates all deliveries of events that still wait for fan-out, and ends their waiting. A delivery is due now or after its delay,
-- or enters the line of its endpoint, or is leased by the process that asks. An event whose environment has another routing
-- revision than it was matched under waits on: it must be matched again. Returns a row for each delivery that was made, and one
-- for each other event whose waiting has ended.
--
-- $1 json    the deliveries (`FanOutDelivery` in src/create.ts)
-- $2 uuid[]  the ids of the events, and $3 uuid[] their environments; $4 and $5 are the lowest and the highest of these ids, by
--            which Postgres prunes partitions
-- $6 uuid[]  the environments, and $7 uuid[] the revisions of their routing under which the events were matched
-- $8 uuid    the token of the lease
-- $9 int     the timeout in seconds of an endpoint without one of its own; $10 int: a lease lasts this much longer
-- $11 json   the lines that deliveries enter: endpoint_id, workspace_id, and seconds until the next turn
-- $12 float8 the longest time until the first turn of a line
-- $13 uuid[] the events without a delivery, and $14 uuid[] their workspaces
-- $15 float8 a delivery keeps the time of its fan-out if its event is older than these seconds
-- $16 int    a sealed payload of more bytes is left out
with current as materialized (
  select v.environment_id from unnest($6::uuid[], $7::uuid[]) as v(environment_id, revision)
  left join environment n on n.id = v.environment_id
  where coalesce(n.routing_revision, '00000000-0000-0000-0000-000000000000'::uuid) = v.revision
), done as (
  delete from pending_fan_out w
  using unnest($2::uuid[], $3::uuid[]) as g(event_id, environment_id)
  where w.event_id = g.event_id and w.event_id = any($2::uuid[])
    and g.environment_id in (select environment_id from current)
    -- order {
    -- Each event is fanned out only together with or after all earlier ones of its key. All dispatchers lock these rows in the
    -- same order, so that two with the same events cannot deadlock.
    and not exists (select from pending_fan_out b
      where b.environment_id = w.environment_id and b.ordering_key = w.ordering_key
        and b.ordering_number < w.ordering_number and b.event_id <> all($2::uuid[]))
    and w.event_id in (
      select event_id from pending_fan_out where event_id = any($2::uuid[]) order by event_id for update)
    -- } without:
  returning w.event_id, w.enqueued_at, w.ordering_key, w.ordering_number
), made as (
  insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, due_at, is_pulled,
    status, lease_token, leased_until, matched_at, ordering_key, ordering_number)
  select d.id, d.event_id, d.endpoint_id, d.workspace_id, d.environment_id, d.event_type,
    case
      -- Due since its event was accepted, or since the time that the event was scheduled for: events are fanned out in
      -- parallel, so their times of fan-out may have another order.
      when p.is_pulled then due_of(least(now(), coalesce(s.deliver_at, now() - make_interval(secs => a.seconds))), true)
      -- The line: 5,000 years later, and 5,400 if an outage of ours has kept the event (src/waiting.ts).
      when d.enters_line then now() + case when exists (
        select from catch_up u where u.ended_at = 'infinity' and done.enqueued_at <= u.until)
        then interval '1972347 days' else interval '1826250 days' end
      -- Due in that outage: when it is refused, it enters the line there.
      else coalesce(case when not c.claims then (
        select u.until from catch_up u where u.ended_at = 'infinity' and done.enqueued_at <= u.until) end,
        now() + make_interval(secs => d.delay_seconds)) end,
    p.is_pulled, (case when c.claims then 'delivering' else 'pending' end)::delivery_status,
    case when c.claims then $8::uuid end,
    case when c.claims then now() + make_interval(secs => coalesce(p.timeout_seconds, $9::int) + $10::int) end,
    case when a.seconds > $15::float8 then now() end,
    case when p.is_fifo then done.ordering_key end, case when p.is_fifo then done.ordering_number end
  from json_to_recordset($1::json) as d(id uuid, event_id uuid, endpoint_id uuid, workspace_id uuid, environment_id uuid,
    event_type text, is_claimed bool, delay_seconds float8, enters_line bool)
  join done on done.event_id = d.event_id
  -- `offset 0`, here and below: otherwise a kept plan may read a whole table and hash it.
  join endpoint p on p.id = d.endpoint_id and (not p.is_temporary or exists (
    select from agent_subscription l where l.endpoint_id = p.id and l.ended_at is null and l.expires_at > now() offset 0))
  left join lateral (select deliver_at from event
    where p.is_pulled and id = d.event_id and id between $4::uuid and $5::uuid offset 0) s on true
  -- The first 48 bits of a UUIDv7 are its time in milliseconds.
  cross join lateral (select (extract(epoch from now())
    - ('x' || translate(left(d.event_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)::float8 as seconds) a
  cross join lateral (select d.is_claimed and not p.is_pulled and not p.is_temporary and not exists (
    select from endpoint_health h where h.endpoint_id = d.endpoint_id and h.open_until is not null) as claims) c
  -- The locks of orders are taken in the sequence of insertion, which is the same in all processes.
  order by case when p.is_fifo then ordering_lock(p.id, done.ordering_key) end, done.ordering_number, d.id
  on conflict do nothing
  returning id, event_id, endpoint_id, workspace_id, status = 'delivering' as claimed, is_pulled, ordering_key,
    due_at <= now() as due
), first_claims as (
  select min(id::text)::uuid as id from made where claimed group by event_id
), entering as materialized (
  select * from json_to_recordset($11::json) as r(endpoint_id uuid, workspace_id uuid, seconds float8)
), lines as (
  -- If no delivery enters a line, its next turn ends it. The rows are written in the order of their keys, so two statements
  -- cannot deadlock. Whether a turn is the first is known only when the row is written (src/line.ts).
  insert into endpoint_line as l (endpoint_id, workspace_id, next_at)
  select endpoint_id, workspace_id, now() + make_interval(secs => least(seconds, $12::float8))
  from entering order by endpoint_id
  on conflict (endpoint_id) do update set entered = l.entered + 1, next_at = least(l.next_at,
    now() + make_interval(secs => (select seconds from entering e where e.endpoint_id = l.endpoint_id)))
), unmatched as (
  insert into unmatched_event (event_id, workspace_id)
  select u.event_id, u.workspace_id from unnest($13::uuid[], $14::uuid[]) as u(event_id, workspace_id)
  join done on done.event_id = u.event_id
  on conflict do nothing
)
select o.event_id, m.id, m.endpoint_id, m.workspace_id, m.claimed, m.is_pulled, m.ordering_key, m.due, p.revision,
  case when m.claimed then (extract(epoch from now())
    - ('x' || translate(left(m.event_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)::float8 end as event_age_seconds,
  e.id is not null as brings_event, e.event_type, e.idempotency_key, e.ordering_key as event_ordering_key, e.content_type,
  e.deliver_at, e.payload is null and e.payload_size > 0 as is_erased,
  exists (select from short_payload s where s.event_id = e.id and s.has_one_attempt offset 0) as has_one_attempt,
  case when octet_length(e.payload) <= $16::int then e.payload end as payload,
  case when octet_length(e.payload) > $16::int then octet_length(e.payload) end as left_out_bytes
from done o left join made m on m.event_id = o.event_id left join endpoint p on p.id = m.endpoint_id
left join lateral (select * from event where id = m.event_id and id between $4::uuid and $5::uuid offset 0) e
  on m.id in (select id from first_claims)
