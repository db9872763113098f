-- Creates deliveries of one event while it waits for its fan-out, and ends its waiting with the last page of them. A delivery is due
-- now, unless its order has a head. Returns a row for each delivery that was made.
--
-- $1 json   the deliveries (`NewDeliveryRow` in src/create.ts)
-- $2 uuid   the event
-- $3 bool   whether this is the last page
-- $4 uuid   the workspace of an event that matches no endpoint, or null
-- $5 float8 a delivery keeps the time of its fan-out if its event is older than these seconds
with waiting as materialized (
  -- The lock makes a cancel wait for these deliveries. Events of an ordering key are fanned out in their order.
  select w.event_id, w.ordering_key, w.ordering_number from pending_fan_out w where w.event_id = $2::uuid
    and not exists (select from pending_fan_out b
      where b.environment_id = w.environment_id and b.ordering_key = w.ordering_key and b.ordering_number < w.ordering_number)
  for update
), ended as (
  delete from pending_fan_out where $3::bool and event_id in (select event_id from waiting)
), unmatched as (
  insert into unmatched_event (event_id, workspace_id)
  select event_id, $4::uuid from waiting where $4::uuid is not null
  on conflict do nothing
)
insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, due_at, is_pulled, matched_at,
  ordering_key, ordering_number)
select d.id, d.event_id, d.endpoint_id, d.workspace_id, d.environment_id, d.event_type, due_of(now(), p.is_pulled),
  p.is_pulled, case when a.seconds > $5::float8 then now() end,
  case when p.is_fifo then w.ordering_key end, case when p.is_fifo then w.ordering_number end
from json_to_recordset($1::json) as d(id uuid, event_id uuid, endpoint_id uuid, workspace_id uuid, environment_id uuid,
  event_type text)
join waiting w on w.event_id = d.event_id
-- `offset 0`: otherwise a kept plan may read the whole table and hash it.
join endpoint p on p.id = d.endpoint_id and (not p.is_temporary or exists (
  select from agent_subscription l where l.endpoint_id = p.id and l.ended_at is null and l.expires_at > now() offset 0))
-- The first 48 bits of a UUIDv7 are its time in milliseconds.
cross join lateral (select (extract(epoch from now())
  - ('x' || translate(left(d.event_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)::float8 as seconds) a
-- The locks of orders are taken in the sequence of insertion, which is the same in all processes.
order by case when p.is_fifo and w.ordering_key is not null then ordering_lock(p.id, w.ordering_key) end, d.id
on conflict do nothing
returning id, due_at <= now() as due, is_pulled
