-- Reads what the attempts of offered deliveries need, and writes nothing. It has the conditions of a claim (src/offer.ts).
--
-- $1 uuid[]  the ids of the deliveries; $2 and $3 are the lowest and the highest of them, by which Postgres prunes partitions
-- $4, $5     the lowest and the highest id of their events
-- $6 uuid    the token under which they were offered
-- $7 int     the seconds that must be left of the offer
-- $8 int     a sealed payload of more bytes is left out
select d.id, d.event_id, d.workspace_id, d.endpoint_id, p.revision, d.status, d.failure_reason, d.total_attempts,
  d.manual_retries, d.next_trigger, d.schedule_step, greatest(d.lost_leases, 0) as lost_leases,
  d.event_type as delivery_event_type, d.is_test, d.ordering_key,
  extract(epoch from d.leased_until - now())::float8 * 1000 as left_ms,
  -- The first 48 bits of a UUIDv7 are its time in milliseconds.
  (extract(epoch from now())
    - ('x' || translate(left(d.event_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)::float8 as event_age_seconds,
  e.id is not null as has_event, e.event_type, e.idempotency_key, e.ordering_key as event_ordering_key, e.content_type,
  e.deliver_at, e.payload is null and e.payload_size > 0 as is_erased,
  -- `offset 0`: otherwise a kept plan may read the whole table and hash it.
  exists (select from short_payload s where s.event_id = e.id and s.has_one_attempt offset 0) as has_one_attempt,
  case when octet_length(e.payload) <= $8::int then e.payload end as payload,
  case when octet_length(e.payload) > $8::int then octet_length(e.payload) end as left_out_bytes
from delivery d join endpoint p on p.id = d.endpoint_id and p.is_active and p.deleted_at is null
left join lateral (select * from event where id = d.event_id and id between $4::uuid and $5::uuid offset 0) e on true
where d.id = any($1::uuid[]) and d.id between $2::uuid and $3::uuid and d.status = 'delivering'
  and d.lease_token = $6::uuid and d.lost_leases < 0 and d.leased_until > now() + make_interval(secs => $7::int)
  and not exists (select from endpoint_health h where h.endpoint_id = d.endpoint_id and h.open_until is not null)
