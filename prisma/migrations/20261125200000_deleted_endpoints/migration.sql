-- AlterTable
ALTER TABLE "endpoint" ADD COLUMN     "cleared_at" TIMESTAMPTZ(6);

-- By hand: what Prisma's schema cannot say.

-- The deleted endpoints that still have subscriptions or secrets. Those of before this migration are cleared, too.
CREATE INDEX "endpoint_to_clear_idx" ON "endpoint" ("deleted_at") WHERE "deleted_at" IS NOT NULL AND "cleared_at" IS NULL;

-- The modes are all that is left of deleted environments.
DELETE FROM "event_type_schema_mode" m USING "environment" e WHERE e."id" = m."environment_id" AND e."deleted_at" IS NOT NULL;

-- The deletion of an endpoint has raised the version already. Its subscriptions are deleted later, in pages, and concern
-- no route.
CREATE OR REPLACE FUNCTION "subscriptions_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "raise_routing_version"(ARRAY(
    SELECT DISTINCT p."environment_id" FROM "changed" c JOIN "endpoint" p ON p."id" = c."endpoint_id"
    WHERE p."deleted_at" IS NULL));
  RETURN NULL;
END
$$;

-- A subscription of a deleted endpoint ended with the endpoint.
CREATE OR REPLACE FUNCTION "keep_ended_subscriptions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "ended_subscription" ("endpoint_id", "event_type_id", "filter", "started_at", "ended_at")
  SELECT o."endpoint_id", o."event_type_id", o."filter", greatest(o."created_at", (
      SELECT max(e."ended_at") FROM "ended_subscription" e
      WHERE e."endpoint_id" = o."endpoint_id" AND e."event_type_id" = o."event_type_id")),
    coalesce(p."deleted_at", clock_timestamp())
  FROM "ended" o LEFT JOIN "endpoint" p ON p."id" = o."endpoint_id" ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
