-- AlterTable
-- The default of existing rows is one value, so that no table is rewritten. It is given only once.
ALTER TABLE "environment" ADD COLUMN     "routing_revision" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
ALTER TABLE "environment" ALTER COLUMN "routing_revision" SET DEFAULT gen_random_uuid();
ALTER TABLE "event_type" ADD COLUMN     "schema_revision" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
ALTER TABLE "event_type" ALTER COLUMN "schema_revision" SET DEFAULT gen_random_uuid();
ALTER TABLE "endpoint" ADD COLUMN     "revision" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
ALTER TABLE "endpoint" ALTER COLUMN "revision" SET DEFAULT gen_random_uuid();

-- By hand: what Prisma's schema cannot say.

-- Processes cache rows by a revision. Each change makes a new random one. A counter is given twice when a failover loses
-- the last changes: a process that had cached a lost change would obey it for ever. Triggers, because a process of an
-- earlier version only raises the counters. A writer that sets the revision itself keeps it.
CREATE OR REPLACE FUNCTION "raise_routing_version"(environment_ids uuid[]) RETURNS void LANGUAGE sql AS $$
  UPDATE "environment" SET "routing_version" = "routing_version" + 1, "routing_revision" = gen_random_uuid() WHERE "id" IN (
    SELECT "id" FROM "environment" WHERE "id" = ANY (environment_ids) ORDER BY "id" FOR NO KEY UPDATE)
$$;

CREATE FUNCTION "renew_endpoint_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."revision" := gen_random_uuid();
  RETURN NEW;
END
$$;
CREATE TRIGGER "endpoint_changed" BEFORE UPDATE OF "version" ON "endpoint" FOR EACH ROW
  WHEN (NEW."version" <> OLD."version" AND NEW."revision" = OLD."revision") EXECUTE FUNCTION "renew_endpoint_revision"();

CREATE FUNCTION "renew_schema_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."schema_revision" := gen_random_uuid();
  RETURN NEW;
END
$$;
CREATE TRIGGER "schema_changed" BEFORE UPDATE OF "schema_version" ON "event_type" FOR EACH ROW
  WHEN (NEW."schema_version" <> OLD."schema_version") EXECUTE FUNCTION "renew_schema_revision"();
