-- What a role needs that owns no table: docs/operating.md, "Roles in Postgres". Grants are not here, because the role's
-- name belongs to the installation: `posthorn-admin migrate` makes them.

-- The one way to make a partition. It is made apart and then attached, because `create … partition of` waits behind
-- long reads, and analysed, because one without statistics is planned badly. A page of delivery keeps room for the
-- claim's version of a row: without it the claim writes every index of the row anew.
-- Answers whether it made one.
CREATE FUNCTION "make_daily_partition"(parent TEXT, day DATE) RETURNS BOOLEAN LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  name TEXT := parent || '_' || to_char(day, 'YYYYMMDD');
  today DATE := (now() AT TIME ZONE 'UTC')::date;
  bounds TEXT[] := ARRAY(
    SELECT regexp_replace(lpad(to_hex((extract(epoch FROM day + n) * 1000)::bigint), 12, '0'), '^(.{8})(.{4})$', '\1-\2-0000-0000-000000000000')
    FROM generate_series(0, 1) AS n ORDER BY n);
BEGIN
  IF parent NOT IN ('event', 'delivery', 'attempt') THEN
    RAISE EXCEPTION 'table % has no daily partitions', parent;
  END IF;
  IF day NOT BETWEEN today - 400 AND today + 15 THEN
    RAISE EXCEPTION 'day % is too far from today', day;
  END IF;
  PERFORM pg_advisory_xact_lock(7061727469);
  IF EXISTS (SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
             WHERE i.inhparent = format('public.%I', parent)::regclass AND c.relname = name) THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING ALL) %s', name, parent,
    CASE parent WHEN 'delivery' THEN 'WITH (fillfactor = 60)' ELSE '' END);
  EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
    parent, name, bounds[1], bounds[2]);
  EXECUTE format('ANALYZE public.%I', name);
  RETURN true;
END
$$;
REVOKE ALL ON FUNCTION "make_daily_partition"(TEXT, DATE) FROM PUBLIC;

-- Entries are chained by the owner, so that the role that writes them needs no right to write to the chain's heads.
ALTER FUNCTION "chain_audit_entry"() SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp;
