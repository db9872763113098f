-- AlterTable
ALTER TABLE "event_type" ADD COLUMN     "payload_retention" TEXT NOT NULL DEFAULT 'workspace';

-- CreateTable
CREATE TABLE "short_payload" (
    "event_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "has_one_attempt" BOOLEAN NOT NULL,
    "due_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "short_payload_pkey" PRIMARY KEY ("event_id")
);

-- CreateIndex
CREATE INDEX "short_payload_due_at_idx" ON "short_payload"("due_at");

-- By hand: what Prisma's schema cannot say.

ALTER TABLE "event_type" ADD CONSTRAINT "event_type_payload_retention_check"
  CHECK ("payload_retention" IN ('workspace', 'until_ended', 'none'));

-- Dispatchers keep the retention of a type with its routes.
CREATE FUNCTION "route_of_type_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "raise_routing_version"(ARRAY(
    SELECT "environment_id" FROM "published_event_type" WHERE "event_type_id" = NEW."id"));
  RETURN NULL;
END
$$;
CREATE TRIGGER "event_type_retention_changed" AFTER UPDATE OF "payload_retention" ON "event_type" FOR EACH ROW
  WHEN (NEW."payload_retention" <> OLD."payload_retention") EXECUTE FUNCTION "route_of_type_changed"();
