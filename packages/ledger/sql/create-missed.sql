-- Creates the deliveries of events that their endpoint missed. A delivery is due now, unless its order has a head. Returns a row for
-- each delivery that was made.
--
-- $1 json   the deliveries (`NewDeliveryRow` in src/create.ts)
-- $2 uuid   the recovery that they are part of
-- $3 float8 a delivery keeps the time of its fan-out if its event is older than these seconds
insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, due_at, is_pulled, matched_at,
  operation_id, next_trigger, ordering_key, ordering_number)
select d.id, d.event_id, d.endpoint_id, d.workspace_id, d.environment_id, d.event_type, due_of(now(), p.is_pulled),
  p.is_pulled, case when a.seconds > $3::float8 then now() end, $2::uuid, 'recovery'::attempt_trigger,
  case when p.is_fifo then e.ordering_key end, case when p.is_fifo then e.ordering_number end
from json_to_recordset($1::json) as d(id uuid, event_id uuid, endpoint_id uuid, workspace_id uuid, environment_id uuid,
  event_type text)
-- `offset 0`, here and below: otherwise a kept plan may read a whole table and hash it.
join endpoint p on p.id = d.endpoint_id and (not p.is_temporary or exists (
  select from agent_subscription l where l.endpoint_id = p.id and l.ended_at is null and l.expires_at > now() offset 0))
join lateral (select ordering_key, ordering_number from event where id = d.event_id offset 0) e on true
-- The first 48 bits of a UUIDv7 are its time in milliseconds.
cross join lateral (select (extract(epoch from now())
  - ('x' || translate(left(d.event_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)::float8 as seconds) a
-- The locks of orders are taken in the sequence of insertion, which is the same in all processes.
order by case when p.is_fifo and e.ordering_key is not null then ordering_lock(p.id, e.ordering_key) end, e.ordering_number, d.id
on conflict do nothing
returning id, due_at <= now() as due
