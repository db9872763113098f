-- CreateTable
CREATE TABLE "endpoint_line" (
    "endpoint_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "next_at" TIMESTAMPTZ(6) NOT NULL,
    "entered" BIGINT NOT NULL DEFAULT 0,
    "changes" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "endpoint_line_pkey" PRIMARY KEY ("endpoint_id")
);

-- CreateIndex
CREATE INDEX "endpoint_line_next_at_idx" ON "endpoint_line"("next_at");

-- By hand: what Prisma's schema cannot say.

-- Rows are updated often, and in place while their pages have room.
ALTER TABLE "endpoint_line" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);

-- Deliveries that wait in the line of their endpoint (docs/adr/0014): their due time is that at which they began to wait, moved
-- by 5,000 years.
CREATE INDEX "delivery_line_idx" ON "delivery" ("endpoint_id", "due_at")
  WHERE "due_at" >= '7000-01-01 00:00:00+00'::timestamptz AND "due_at" < '9999-12-31 00:00:00+00'::timestamptz;

-- Whatever may lift a limit gives the line of the endpoint its turn now.
CREATE FUNCTION "hurry_line"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "endpoint_line" SET "next_at" = now(), "changes" = "changes" + 1 WHERE "endpoint_id" = NEW."id";
  RETURN NULL;
END
$$;
CREATE TRIGGER "endpoint_hurries_line" AFTER UPDATE OF "version" ON "endpoint" FOR EACH ROW
  WHEN (NEW."version" <> OLD."version") EXECUTE FUNCTION "hurry_line"();

CREATE FUNCTION "hurry_line_of_breaker"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "endpoint_line" SET "next_at" = CASE WHEN TG_OP = 'DELETE' THEN now() ELSE coalesce(NEW."open_until", now()) END,
    "changes" = "changes" + 1 WHERE "endpoint_id" = OLD."endpoint_id";
  RETURN NULL;
END
$$;
CREATE TRIGGER "breaker_hurries_line" AFTER UPDATE OF "open_until" ON "endpoint_health" FOR EACH ROW
  WHEN (NEW."open_until" IS DISTINCT FROM OLD."open_until") EXECUTE FUNCTION "hurry_line_of_breaker"();
CREATE TRIGGER "breaker_forgotten" AFTER DELETE ON "endpoint_health" FOR EACH ROW
  WHEN (OLD."open_until" IS NOT NULL) EXECUTE FUNCTION "hurry_line_of_breaker"();

-- The role of running services has its rights on "delivery"; the triggers that it fires write here.
DO $$
DECLARE
  held RECORD;
BEGIN
  FOR held IN SELECT DISTINCT grantee FROM information_schema.role_table_grants
    WHERE table_schema = 'public' AND table_name = 'delivery' AND privilege_type = 'UPDATE' AND grantee <> current_user
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON "endpoint_line" TO %I', held.grantee);
  END LOOP;
END
$$;
