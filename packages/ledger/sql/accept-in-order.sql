-- Accepts events that have an order or a time, with their idempotency keys, and with the delivery of each that names its
-- endpoint. Returns a row for each stored event, and for each that was left out. An event whose key another event has is not
-- stored, and has no row.
--
-- $1 json   the events (`OrderedEvent` in src/accept.ts)
-- $2 bytea  all sealed payloads in a row
-- $3 int    the hours that an idempotency key is kept
-- $4 int    the most due events of one key that take their places here
-- $5 bigint[], $6 uuid[]  search tokens, and the event of each
with given as materialized (
  select * from json_to_recordset($1::json) as g(
    id uuid, workspace_id uuid, environment_id uuid, application_id uuid, event_type text, endpoint_id uuid, delivery_id uuid,
    key text, request_hash text, content_type text, sealed_from int, sealed_size int, payload_size int, published bool,
    schema_errors text, search_left_out smallint, ordering_key text, deliver_at timestamptz, is_scheduled bool,
    source json)
), wanted as materialized (
  -- Leaves out an event if more scheduled events of its key are due: it would take its place before some of them. All tenants
  -- share the statement, so it places no more of them. The dispatchers place the others within moments.
  select g.* from given g where g.ordering_key is null or g.is_scheduled or not exists (
    select from (
      -- A comparison instead of an equality: Postgres then reads the index in its order, whatever its statistics say.
      select environment_id, ordering_key, deliver_at from scheduled_event
      where (environment_id, ordering_key) >= (g.environment_id, g.ordering_key) and ordering_key is not null
      order by environment_id, ordering_key, deliver_at, event_id offset $4::int limit 1) o
    where o.environment_id = g.environment_id and o.ordering_key = g.ordering_key and o.deliver_at <= now())
), won as (
  -- Every batch writes its keys in the same order, so two batches cannot deadlock.
  insert into idempotency_record as r
    (environment_id, key, request_hash, event_id, event_type, endpoint_id, published, schema_errors, expires_at)
  select environment_id, key, decode(request_hash, 'base64'), id, event_type, endpoint_id, published, schema_errors::jsonb,
    now() + make_interval(hours => $3::int)
  from wanted where key is not null order by environment_id, key
  on conflict (environment_id, key) do update set request_hash = excluded.request_hash, event_id = excluded.event_id,
    event_type = excluded.event_type, endpoint_id = excluded.endpoint_id, published = excluded.published,
    schema_errors = excluded.schema_errors, expires_at = excluded.expires_at
  where r.expires_at <= now()
  returning event_id
), known as materialized (
  -- The due scheduled events of the keys in whose order an event is accepted. The fan-out of that event leads to theirs. Where no
  -- event enters the order, nothing would, so they are left to the dispatchers.
  select n.event_id, n.environment_id, n.ordering_key, n.deliver_at from (
    select distinct environment_id, ordering_key from wanted w
    where ordering_key is not null and not is_scheduled and (key is null or id in (select event_id from won))
      and (endpoint_id is null and published
        or exists (select from endpoint p where p.id = w.endpoint_id and p.is_fifo offset 0))) k
  cross join lateral (
    select event_id, environment_id, ordering_key, deliver_at from scheduled_event
    where (environment_id, ordering_key) >= (k.environment_id, k.ordering_key) and ordering_key is not null
    order by environment_id, ordering_key, deliver_at, event_id limit $4::int) n
  where n.environment_id = k.environment_id and n.ordering_key = k.ordering_key and n.deliver_at <= now()
), due as materialized (
  -- They take their places before an event that is accepted now. All statements that lock several rows of `scheduled_event` lock
  -- them by environment, time and id (src/scheduled-events.ts), so two cannot deadlock.
  delete from scheduled_event s using (
    select l.event_id from (select event_id from known order by environment_id, deliver_at, event_id) f
    cross join lateral (select event_id from scheduled_event where event_id = f.event_id for update) l
  ) f where s.event_id = f.event_id
  returning s.event_id, s.environment_id, s.ordering_key, s.deliver_at
), numbered as materialized (
  select event_id, environment_id, ordering_key, nextval('ordering_number') as number
  from (select * from due order by deliver_at, event_id) d
), placed as (
  insert into pending_fan_out (event_id, environment_id, ordering_key, ordering_number)
  select event_id, environment_id, ordering_key, number from numbered
), kept_numbers as (
  update event e set ordering_number = n.number from numbered n where e.id = n.event_id
), numbers as materialized (
  -- After those of the scheduled events that take their places now.
  select w.id, nextval('ordering_number') as number
  from wanted w cross join (select count(*) as n from numbered) placed_first
  where placed_first.n >= 0 and w.ordering_key is not null and not w.is_scheduled
    and (w.key is null or w.id in (select event_id from won))
), direct as materialized (
  -- Whether a direct event takes its place among the deliveries of its endpoint, and whether its delivery has to wait for that.
  -- `known` also has the events that another statement was placing at the same moment. This one has waited for the other, but
  -- does not see their places. `offset 0`: otherwise a kept plan may read a whole table and hash it.
  select w.id, p.is_pulled, o.is_ordered, o.is_ordered and (
      exists (select from pending_fan_out f
        where f.environment_id = w.environment_id and f.ordering_key = w.ordering_key offset 0)
      or exists (select from known f where f.environment_id = w.environment_id and f.ordering_key = w.ordering_key)
    ) and not w.is_scheduled as is_gated
  from wanted w join endpoint p on p.id = w.endpoint_id
  cross join lateral (select w.ordering_key is not null and p.is_fifo as is_ordered) o
  where not p.is_temporary or exists (
    select from agent_subscription a where a.endpoint_id = p.id and a.ended_at is null and a.expires_at > now() offset 0)
), stored as (
  insert into event (id, workspace_id, environment_id, application_id, endpoint_id, event_type, idempotency_key,
    content_type, payload, payload_size, published, schema_errors, search_left_out, source, ordering_key, deliver_at, ordering_number)
  select id, workspace_id, environment_id, application_id, endpoint_id, event_type, key, content_type,
    substring($2::bytea from sealed_from for sealed_size), payload_size, published, schema_errors::jsonb, search_left_out,
    source, ordering_key, deliver_at, (select n.number from numbers n where n.id = wanted.id)
  from wanted where key is null or id in (select event_id from won)
  returning id
), to_fan_out as (
  insert into pending_fan_out (event_id, environment_id, ordering_key, ordering_number)
  select w.id, case when w.ordering_key is not null then w.environment_id end, w.ordering_key, n.number
  from wanted w join stored s on s.id = w.id left join numbers n on n.id = w.id
  where not w.is_scheduled and (w.published and w.endpoint_id is null or w.id in (select id from direct where is_gated))
), scheduled as (
  insert into scheduled_event (event_id, environment_id, deliver_at, ordering_key)
  select w.id, w.environment_id, w.deliver_at, w.ordering_key
  from wanted w join stored s on s.id = w.id
  where w.is_scheduled and w.published and (w.endpoint_id is null or w.id in (select id from direct where is_ordered))
), made as (
  -- A delivery that enters its order later has no ordering key yet, and is not due. The locks of orders are taken in the sequence
  -- of insertion, which is the same in all processes. A batch that makes no deliveries does not name their table.
  -- deliveries {
  insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, due_at, is_pulled, ordering_key, ordering_number)
  select n.delivery_id, n.id, n.endpoint_id, n.workspace_id, n.environment_id, due_of(n.due_at, n.is_pulled), n.is_pulled,
    n.ordering_key, n.number
  from (
    select w.delivery_id, w.id, w.endpoint_id, w.workspace_id, w.environment_id, p.is_pulled,
      case when o.enters_later then end_of_time() when w.is_scheduled then w.deliver_at else now() end as due_at,
      case when p.is_ordered and not o.enters_later then w.ordering_key end as ordering_key,
      case when p.is_ordered and not o.enters_later then n.number end as number
    from wanted w join stored s on s.id = w.id join direct p on p.id = w.id left join numbers n on n.id = w.id
    cross join lateral (select p.is_gated or p.is_ordered and w.is_scheduled as enters_later) o) n
  order by case when n.ordering_key is not null then ordering_lock(n.endpoint_id, n.ordering_key) end, n.number, n.delivery_id
  on conflict do nothing
  returning id, due_at <= now() as due
  -- } without: select null::uuid as id, false as due where false
), unmatched as (
  insert into unmatched_event (event_id, workspace_id)
  select w.id, w.workspace_id from wanted w join stored s on s.id = w.id where not w.published
  on conflict do nothing
), found_by as (
  insert into event_token (token, event_id)
  select t.token, t.event_id from unnest($5::bigint[], $6::uuid[]) as t(token, event_id)
  where t.event_id in (select id from stored)
)
select s.id, coalesce(p.is_gated, false) as "isGated",
  coalesce(m.due or w.is_scheduled and not (p.is_ordered or p.is_pulled), true) as "isDue", false as "isLeftOut"
from stored s join wanted w on w.id = s.id left join direct p on p.id = s.id left join made m on m.id = w.delivery_id
union all
select id, false, false, true from given where id not in (select id from wanted)
