-- Accepts events that have neither an order nor a time, with their idempotency keys, and with the deliveries of those that
-- were matched or name their endpoint (docs/adr/0021). Returns a row for each delivery that was made, and one for each stored
-- event without any. An event whose key another event has is not stored, and has no row.
--
-- $1 json   the events (`AcceptedEvent` in src/accept.ts)
-- $2 bytea  all sealed payloads in a row
-- $3 json   the deliveries of the matched events: id, event_id, endpoint_id, delay_seconds
-- $4 uuid   the token under which deliveries are offered; null: all are due
-- $5 int    the seconds of an offer
-- $6 int    the hours that an idempotency key is kept
-- $7 bigint[], $8 uuid[]  search tokens, and the event of each
with wanted as materialized (
  select * from json_to_recordset($1::json) as w(
    id uuid, workspace_id uuid, environment_id uuid, application_id uuid, event_type text, endpoint_id uuid, delivery_id uuid,
    key text, request_hash text, content_type text, sealed_from int, sealed_size int, payload_size int, published bool,
    schema_errors text, search_left_out smallint, delay_seconds float8,
    routing_revision uuid, payload_retention text, has_no_endpoint bool, source json)
), won as (
  -- Every batch writes its keys in the same order, so two batches cannot deadlock.
  insert into idempotency_record as r
    (environment_id, key, request_hash, event_id, event_type, endpoint_id, published, schema_errors, expires_at)
  select environment_id, key, decode(request_hash, 'base64'), id, event_type, endpoint_id, published, schema_errors::jsonb,
    now() + make_interval(hours => $6::int)
  from wanted where key is not null order by environment_id, key
  on conflict (environment_id, key) do update set request_hash = excluded.request_hash, event_id = excluded.event_id,
    event_type = excluded.event_type, endpoint_id = excluded.endpoint_id, published = excluded.published,
    schema_errors = excluded.schema_errors, expires_at = excluded.expires_at
  where r.expires_at <= now()
  returning event_id
), stored as (
  insert into event (id, workspace_id, environment_id, application_id, endpoint_id, event_type, idempotency_key,
    content_type, payload, payload_size, published, schema_errors, search_left_out, source)
  select id, workspace_id, environment_id, application_id, endpoint_id, event_type, key, content_type,
    substring($2::bytea from sealed_from for sealed_size), payload_size, published, schema_errors::jsonb, search_left_out, source
  from wanted where key is null or id in (select event_id from won)
  returning id
), matched as materialized (
  -- The revision of the routing that the environment has now, and whether the event was matched under it.
  select w.id, w.workspace_id, w.environment_id, w.event_type, w.payload_retention, v.revision,
    v.revision = w.routing_revision as is_current
  from wanted w join stored s on s.id = w.id left join environment n on n.id = w.environment_id
  cross join lateral (
    select coalesce(n.routing_revision, '00000000-0000-0000-0000-000000000000'::uuid) as revision) v
  where w.routing_revision is not null
), current as materialized (
  select * from matched where is_current
), to_fan_out as (
  insert into pending_fan_out (event_id)
  select w.id from wanted w join stored s on s.id = w.id
  where w.published and w.endpoint_id is null and w.id not in (select id from current)
), made as (
  -- A batch that makes no deliveries does not name their table: a lock of it does not delay the batch.
  -- deliveries {
  insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, is_pulled,
    status, due_at, lease_token, leased_until, lost_leases)
  select n.id, n.event_id, n.endpoint_id, n.workspace_id, n.environment_id, n.event_type, p.is_pulled,
    (case when o.is_offered then 'delivering' else 'pending' end)::delivery_status,
    case when o.is_offered then o.ends_at else due_of(now() + make_interval(secs => n.delay_seconds), p.is_pulled) end,
    case when o.is_offered then $4::uuid end, case when o.is_offered then o.ends_at end,
    case when o.is_offered then -1 else 0 end
  from (
    select d.id, d.event_id, d.endpoint_id, c.workspace_id, c.environment_id, c.event_type, d.delay_seconds
    from json_to_recordset($3::json) as d(id uuid, event_id uuid, endpoint_id uuid, delay_seconds float8)
    join current c on c.id = d.event_id
    union all
    select w.delivery_id, w.id, w.endpoint_id, w.workspace_id, w.environment_id, null, w.delay_seconds
    from wanted w join stored s on s.id = w.id where w.endpoint_id is not null
  ) n join endpoint p on p.id = n.endpoint_id
  -- Offered is what whoever gets the offer may send at once.
  cross join lateral (
    select $4::uuid is not null and n.delay_seconds = 0 and p.is_active and p.deleted_at is null and not p.is_pulled
        and not p.is_limited and not p.is_temporary
        and not exists (select from endpoint_health h where h.endpoint_id = p.id and h.open_until is not null) as is_offered,
      now() + make_interval(secs => $5::int) as ends_at) o
  order by n.id
  on conflict do nothing
  returning id, event_id, endpoint_id, status = 'delivering' as is_offered, due_at <= now() as due,
    greatest(0, extract(epoch from due_at - now()))::float8 as due_in_seconds, is_pulled
  -- } without: select null::uuid as id, null::uuid as event_id, null::uuid as endpoint_id, false as is_offered, false as due, 0::float8 as due_in_seconds, false as is_pulled where false and $3::json is null and $4::uuid is null and $5::int is null
), short as (
  insert into short_payload (event_id, workspace_id, has_one_attempt)
  select id, workspace_id, payload_retention = 'none' from current where payload_retention in ('until_ended', 'none')
  on conflict (event_id) do nothing
), unmatched as (
  -- One that was matched with no endpoint counts only if its routing is still the same.
  insert into unmatched_event (event_id, workspace_id)
  select w.id, w.workspace_id from wanted w join stored s on s.id = w.id
  where w.has_no_endpoint and (not w.published or w.id in (select id from current))
  on conflict do nothing
), found_by as (
  insert into event_token (token, event_id)
  select t.token, t.event_id from unnest($7::bigint[], $8::uuid[]) as t(token, event_id)
  where t.event_id in (select id from stored)
)
select s.id, m.is_current as "isMatched", m.revision as "routingRevision", d.id as "madeId", d.endpoint_id as "endpointId",
  d.is_offered as "isOffered", d.due as "isDueNow", d.is_pulled as "isPulled", d.due_in_seconds as "dueInSeconds"
  -- revision {
  -- For a call in the same process, whose attempt reads nothing.
  , p.revision as "endpointRevision"
  -- } without:
from stored s left join matched m on m.id = s.id left join made d on d.event_id = s.id
  -- revision {
  left join endpoint p on p.id = d.endpoint_id
  -- } without:
