-- How soon each kind of repeated work is due: the seconds until then, at most 0 when it is due; null while there is none.
-- Each part reads the first entry of an index.
--
-- $1 uuid, $2 text  where rows are the queue: the id and the due time from which on events and deliveries are looked for. One that comes
--                   to lie before them, as a scheduled event may, is found once they are lowered or read anew
select
  (select extract(epoch from deliver_at - now()) from scheduled_event order by deliver_at limit 1)::float8 as "scheduledEvents",
  (select extract(epoch from next_at - now()) from endpoint_line order by next_at limit 1)::float8 as lines,
  (select extract(epoch from next_turn_at - now()) from operation where next_turn_at is not null
    order by next_turn_at limit 1)::float8 as operations,
  (select extract(epoch from pull_leased_until - now()) from delivery
    where is_pulled and pull_leased_until is not null and status = 'delivering'
    order by pull_leased_until limit 1)::float8 as "consumerLeases",
  -- Of these, the round itself knows which rows are due.
  (select 0 from operational_event order by workspace_id limit 1)::float8 as "operationalEvents",
  (select 0 from raised_alert order by workspace_id limit 1)::float8 as "raisedAlerts",
  (select 0 from alert_state where due_at is not null order by workspace_id limit 1)::float8 as "gatheredAlerts",
  (select 0 from outgoing_alert order by workspace_id limit 1)::float8 as "outgoingAlerts",
  (select 0 from outgoing_termination order by workspace_id limit 1)::float8 as terminations,
  (select 0 from short_payload order by workspace_id limit 1)::float8 as "shortPayloads",
  (select 0 from endpoint where order_ended_at is not null order by id limit 1)::float8 as "endedOrders",
  (select 0 from source where is_active order by id limit 1)::float8 as sources,
  -- rows {
  -- From 1,000 events on, the round itself knows which are due: one may be due behind many that cannot be fanned out.
  (select case when count(*) = 1000 then 0 else extract(epoch from min(due_at) - now()) end from (
    select due_at from pending_fan_out where event_id > $1::uuid order by event_id limit 1000) f)::float8 as "waitingEvents",
  (select extract(epoch from due_at - now()) from delivery
    where due_at is not null and due_at >= $2::timestamptz order by due_at limit 1)::float8 as "dueDeliveries"
  -- } without: null::float8 as "waitingEvents", null::float8 as "dueDeliveries"
