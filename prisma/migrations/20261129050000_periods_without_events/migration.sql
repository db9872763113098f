-- By hand: a period of a subscription is kept for the traces of events. A period in which no event can have been fanned out
-- is not kept, so changes of patterns alone fill no table. The next period then counts from the beginning of the one that
-- was not kept, which concerns no event either.

-- The latest time at which an event of the workspace came, or was due by its own time. Of the events with a time of their
-- own the newest thousand are read; where there are more, it is now.
CREATE FUNCTION "last_event_at"("workspace" UUID) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT greatest(
    (SELECT to_timestamp(('x' || translate(left(e."id"::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
      FROM "event" e WHERE e."workspace_id" = "workspace" ORDER BY e."id" DESC LIMIT 1),
    (SELECT CASE WHEN count(*) = 1000 THEN clock_timestamp()
        ELSE max(s."deliver_at") FILTER (WHERE s."deliver_at" <= clock_timestamp()) END
      FROM (SELECT e."deliver_at" FROM "event" e WHERE e."workspace_id" = "workspace" AND e."deliver_at" IS NOT NULL
        ORDER BY e."id" DESC LIMIT 1000) s))
$$;

-- Keeps the periods that have ended. `ended` has an endpoint, a type, a filter, and when the subscription was created. A
-- fan-out may be some seconds later than its event.
CREATE FUNCTION "keep_periods"("endpoints" UUID[], "types" UUID[], "filters" TEXT[], "created" TIMESTAMPTZ[])
RETURNS void LANGUAGE sql AS $$
  WITH "period" AS MATERIALIZED (
    SELECT o.*, p."workspace_id", coalesce(p."deleted_at", clock_timestamp()) AS "ended_at",
      greatest(o."created_at", (SELECT max(e."ended_at") FROM "ended_subscription" e
        WHERE e."endpoint_id" = o."endpoint_id" AND e."event_type_id" = o."event_type_id")) AS "started_at"
    FROM unnest("endpoints", "types", "filters", "created") AS o("endpoint_id", "event_type_id", "filter", "created_at")
    LEFT JOIN "endpoint" p ON p."id" = o."endpoint_id"
  ), "latest" AS MATERIALIZED (
    SELECT w."workspace_id", "last_event_at"(w."workspace_id") AS "at"
    FROM (SELECT DISTINCT "workspace_id" FROM "period" WHERE "workspace_id" IS NOT NULL) w
  )
  INSERT INTO "ended_subscription" ("endpoint_id", "event_type_id", "filter", "started_at", "ended_at")
  SELECT k."endpoint_id", k."event_type_id", k."filter"::json, k."started_at", k."ended_at"
  FROM "period" k LEFT JOIN "latest" l ON l."workspace_id" = k."workspace_id"
  WHERE k."workspace_id" IS NULL OR l."at" >= k."started_at" - interval '10 seconds'
  ON CONFLICT DO NOTHING
$$;

CREATE OR REPLACE FUNCTION "keep_ended_subscriptions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "keep_periods"(array_agg(o."endpoint_id"), array_agg(o."event_type_id"), array_agg(o."filter"::text),
    array_agg(o."created_at"::timestamptz)) FROM "ended" o;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "keep_ended_filters"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "keep_periods"(array_agg(o."endpoint_id"), array_agg(o."event_type_id"), array_agg(o."filter"::text),
    array_agg(o."created_at"::timestamptz))
  FROM "before" o JOIN "after" n ON n."id" = o."id" WHERE o."filter"::text IS DISTINCT FROM n."filter"::text;
  RETURN NULL;
END
$$;
