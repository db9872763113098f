-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "matched_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "ended_publication" (
    "environment_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "event_type_id" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "ended_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "ended_publication_pkey" PRIMARY KEY ("environment_id","event_type","ended_at")
);

-- CreateTable
CREATE TABLE "ended_subscription" (
    "endpoint_id" UUID NOT NULL,
    "event_type_id" UUID NOT NULL,
    "filter" JSON,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "ended_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "ended_subscription_pkey" PRIMARY KEY ("endpoint_id","event_type_id","ended_at")
);

-- CreateTable
CREATE TABLE "ended_inactivity" (
    "endpoint_id" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "ended_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "ended_inactivity_pkey" PRIMARY KEY ("endpoint_id","ended_at")
);

-- CreateTable
CREATE TABLE "unmatched_event" (
    "event_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "fanned_out_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "unmatched_event_pkey" PRIMARY KEY ("event_id")
);

-- CreateTable
CREATE TABLE "cancelled_event" (
    "event_id" UUID NOT NULL,
    "cancelled_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cancelled_event_pkey" PRIMARY KEY ("event_id")
);

-- CreateIndex
CREATE INDEX "ended_publication_ended_at_idx" ON "ended_publication"("ended_at");

-- CreateIndex
CREATE INDEX "ended_subscription_ended_at_idx" ON "ended_subscription"("ended_at");

-- CreateIndex
CREATE INDEX "ended_inactivity_ended_at_idx" ON "ended_inactivity"("ended_at");

-- CreateIndex
CREATE INDEX "unmatched_event_workspace_id_event_id_idx" ON "unmatched_event"("workspace_id", "event_id" DESC);

-- By hand: the triggers that keep what has ended. Triggers, because a cascade or a deactivation by the system must not
-- be forgotten. What still holds is in the tables themselves, with the time since when. Each name follows that of the
-- trigger that locks the environment, so that the time is taken after the wait for that lock.

-- A subscription ends with its deletion, and one with a filter also with the change of that filter. It began when it was
-- created, or when the one before it ended.
CREATE FUNCTION "keep_ended_subscriptions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "ended_subscription" ("endpoint_id", "event_type_id", "filter", "started_at", "ended_at")
  SELECT o."endpoint_id", o."event_type_id", o."filter", greatest(o."created_at", (
      SELECT max(e."ended_at") FROM "ended_subscription" e
      WHERE e."endpoint_id" = o."endpoint_id" AND e."event_type_id" = o."event_type_id")), clock_timestamp()
  FROM "ended" o ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER "subscription_ended" AFTER DELETE ON "subscription" REFERENCING OLD TABLE AS "ended"
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_ended_subscriptions"();

CREATE FUNCTION "keep_ended_filters"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "ended_subscription" ("endpoint_id", "event_type_id", "filter", "started_at", "ended_at")
  SELECT o."endpoint_id", o."event_type_id", o."filter", greatest(o."created_at", (
      SELECT max(e."ended_at") FROM "ended_subscription" e
      WHERE e."endpoint_id" = o."endpoint_id" AND e."event_type_id" = o."event_type_id")), clock_timestamp()
  FROM "before" o JOIN "after" n ON n."id" = o."id"
  WHERE o."filter"::text IS DISTINCT FROM n."filter"::text ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER "subscription_updated_ended" AFTER UPDATE ON "subscription"
  REFERENCING OLD TABLE AS "before" NEW TABLE AS "after"
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_ended_filters"();

CREATE FUNCTION "keep_ended_publications"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "ended_publication" ("environment_id", "event_type", "event_type_id", "started_at", "ended_at")
  SELECT e."environment_id", t."name", t."id", e."published_at", clock_timestamp()
  FROM "ended" e JOIN "event_type" t ON t."id" = e."event_type_id" ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER "publication_ended" AFTER DELETE ON "published_event_type" REFERENCING OLD TABLE AS "ended"
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_ended_publications"();

-- A cascade deletes publications after their type, and then the type's name is gone.
CREATE FUNCTION "unpublish_event_type"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "published_event_type" WHERE "event_type_id" = OLD."id";
  RETURN OLD;
END
$$;
CREATE TRIGGER "event_type_unpublished" BEFORE DELETE ON "event_type"
  FOR EACH ROW EXECUTE FUNCTION "unpublish_event_type"();

CREATE FUNCTION "keep_ended_inactivity"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "ended_inactivity" ("endpoint_id", "started_at", "ended_at")
  SELECT o."id", coalesce(o."disabled_at", o."created_at"), clock_timestamp()
  FROM "before" o JOIN "after" n ON n."id" = o."id" WHERE n."is_active" AND NOT o."is_active" ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER "endpoint_activity_ended" AFTER UPDATE ON "endpoint" REFERENCING OLD TABLE AS "before" NEW TABLE AS "after"
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_ended_inactivity"();
