-- CreateTable
CREATE TABLE "stat" (
    "subject_id" UUID NOT NULL,
    "is_hour" BOOLEAN NOT NULL,
    "at" TIMESTAMPTZ(0) NOT NULL,
    "event_type" TEXT NOT NULL,
    "environment_id" UUID NOT NULL,
    "ingested" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "succeeded" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "ended_failed" INTEGER NOT NULL DEFAULT 0,
    "dead_lettered" INTEGER NOT NULL DEFAULT 0,
    "duration" BIGINT[] NOT NULL DEFAULT '{}',
    "delay" BIGINT[] NOT NULL DEFAULT '{}',
    "last_success_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),

    CONSTRAINT "stat_pkey" PRIMARY KEY ("subject_id", "is_hour", "at", "event_type", "environment_id")
) PARTITION BY RANGE ("at");

-- By hand, from here on.

-- For the endpoints of an environment, compared over hours.
CREATE INDEX "stat_environment_id_event_type_at_idx" ON "stat" ("environment_id", "event_type", "at") WHERE "is_hour";

-- A day of any table that is partitioned by range: by UUIDv7 keys, or by time. The earlier version held a list of
-- tables; otherwise it is unchanged. Every row of `stat` is updated about once a second for a minute or an hour: its
-- pages keep room for the new versions, so that the key's index is not written again.
CREATE OR REPLACE FUNCTION "make_daily_partition"(parent TEXT, day DATE) RETURNS BOOLEAN LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  name TEXT := parent || '_' || to_char(day, 'YYYYMMDD');
  today DATE := (now() AT TIME ZONE 'UTC')::date;
  key_type TEXT := (SELECT a.atttypid::regtype::text FROM pg_partitioned_table p
    JOIN pg_class c ON c.oid = p.partrelid AND c.relnamespace = 'public'::regnamespace AND c.relname = parent
    JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]);
  bounds TEXT[] := ARRAY(
    SELECT CASE key_type
      WHEN 'uuid' THEN regexp_replace(lpad(to_hex((extract(epoch FROM day + n) * 1000)::bigint), 12, '0'),
        '^(.{8})(.{4})$', '\1-\2-0000-0000-000000000000')
      WHEN 'timestamp with time zone' THEN to_char(day + n, 'YYYY-MM-DD') || ' 00:00:00+00' END
    FROM generate_series(0, 1) AS n ORDER BY n);
BEGIN
  IF key_type IS NULL OR bounds[1] IS NULL THEN
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
    CASE WHEN parent IN ('delivery', 'stat') THEN 'WITH (fillfactor = 60)' ELSE '' END);
  EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
    parent, name, bounds[1], bounds[2]);
  EXECUTE format('ANALYZE public.%I', name);
  RETURN true;
END
$$;
