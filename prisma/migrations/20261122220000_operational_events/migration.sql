-- AlterTable
ALTER TABLE "endpoint_health" ADD COLUMN     "failing_raised_at" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "expiry_raised_at" TIMESTAMPTZ(6);

-- CreateTable
CREATE TABLE "operational_event" (
    "workspace_id" UUID NOT NULL,
    "raised_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "environment_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "facts" JSON NOT NULL,

    CONSTRAINT "operational_event_pkey" PRIMARY KEY ("workspace_id","raised_at","id")
);

-- By hand: what Prisma's schema cannot say.

-- The keys that end soon are looked for every few minutes.
CREATE INDEX "api_key_expires_at_idx" ON "api_key" ("expires_at") WHERE "expires_at" IS NOT NULL AND "revoked_at" IS NULL;

-- The triggers that raise operational events (docs/adr/0011). Each condition is false for every change that raises none,
-- and each function finds nothing in one look-up by key for a workspace without an event type of that name.

-- What becomes of an operational event raises none.
-- The look-up comes first and by itself: the insert costs three times as much, also where it inserts nothing.
CREATE FUNCTION "raise_delivery_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanted text := CASE NEW."status" WHEN 'failed' THEN 'posthorn.delivery.failed' ELSE 'posthorn.delivery.dead_letter' END;
BEGIN
  IF NOT EXISTS (SELECT FROM "event_type" WHERE "workspace_id" = NEW."workspace_id" AND "name" = wanted) THEN
    RETURN NULL;
  END IF;
  INSERT INTO "operational_event" ("workspace_id", "environment_id", "event_type", "facts")
  SELECT NEW."workspace_id", NEW."environment_id", t."name", json_build_object(
    'deliveryId', NEW."id", 'eventId', NEW."event_id", 'eventType', NEW."event_type",
    'endpointId', NEW."endpoint_id", 'applicationId', p."application_id", 'environmentId', NEW."environment_id",
    'url', p."url", 'failureReason', NEW."failure_reason", 'totalAttempts', NEW."total_attempts",
    'lastResponseStatus', NEW."last_response_status")
  FROM "event_type" t
  JOIN "published_event_type" v ON v."event_type_id" = t."id" AND v."environment_id" = NEW."environment_id"
  JOIN "endpoint" p ON p."id" = NEW."endpoint_id"
  WHERE t."workspace_id" = NEW."workspace_id" AND t."name" = wanted;
  RETURN NULL;
END
$$;
CREATE TRIGGER "delivery_operational_event" AFTER UPDATE ON "delivery" FOR EACH ROW
  WHEN (NEW."status" IN ('failed', 'dead_letter') AND OLD."status" <> NEW."status" AND NOT NEW."is_test"
    AND (NEW."event_type" IS NULL OR NEW."event_type" NOT LIKE 'posthorn.%'))
  EXECUTE FUNCTION "raise_delivery_event"();

-- What becomes of an endpoint that gets operational events alone is what becomes of these.
CREATE FUNCTION "gets_operational_events_alone"(endpoint_key uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(bool_and(t."name" LIKE 'posthorn.%'), false)
  FROM "subscription" s JOIN "event_type" t ON t."id" = s."event_type_id" WHERE s."endpoint_id" = endpoint_key
$$;

CREATE FUNCTION "raise_endpoint_disabled"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "operational_event" ("workspace_id", "environment_id", "event_type", "facts")
  SELECT NEW."workspace_id", NEW."environment_id", t."name", json_build_object(
    'endpointId', NEW."id", 'applicationId', NEW."application_id", 'environmentId', NEW."environment_id",
    'url', NEW."url", 'disabledReason', NEW."disabled_reason", 'disabledAt', NEW."disabled_at")
  FROM "event_type" t
  JOIN "published_event_type" v ON v."event_type_id" = t."id" AND v."environment_id" = NEW."environment_id"
  WHERE t."workspace_id" = NEW."workspace_id" AND t."name" = 'posthorn.endpoint.disabled'
    AND (NEW."disabled_reason" = 'manual' OR NOT "gets_operational_events_alone"(NEW."id"));
  RETURN NULL;
END
$$;
CREATE TRIGGER "endpoint_operational_event" AFTER UPDATE ON "endpoint" FOR EACH ROW
  WHEN (OLD."is_active" AND NOT NEW."is_active" AND NEW."deleted_at" IS NULL)
  EXECUTE FUNCTION "raise_endpoint_disabled"();

-- The breaker opened or closed. BEFORE, so that the row itself keeps when it opened last: at most one event in an hour.
-- A person who activates the endpoint again also closes the breaker, but clears the last failure, too.
CREATE FUNCTION "raise_breaker_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "operational_event" ("workspace_id", "environment_id", "event_type", "facts")
  SELECT p."workspace_id", p."environment_id", t."name", json_build_object(
    'endpointId', p."id", 'applicationId', p."application_id", 'environmentId', p."environment_id", 'url', p."url",
    'failingSince', coalesce(OLD."failing_since", NEW."failing_since"))
  FROM "endpoint" p
  JOIN "event_type" t ON t."workspace_id" = p."workspace_id" AND t."name" =
    CASE WHEN NEW."open_until" IS NULL THEN 'posthorn.endpoint.recovered' ELSE 'posthorn.endpoint.failing' END
  JOIN "published_event_type" v ON v."event_type_id" = t."id" AND v."environment_id" = p."environment_id"
  WHERE p."id" = NEW."endpoint_id" AND NOT "gets_operational_events_alone"(p."id")
    AND (NEW."open_until" IS NULL OR OLD."failing_raised_at" IS NULL
      OR OLD."failing_raised_at" <= now() - interval '1 hour');
  IF FOUND AND NEW."open_until" IS NOT NULL THEN
    NEW."failing_raised_at" := now();
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "breaker_operational_event" BEFORE UPDATE ON "endpoint_health" FOR EACH ROW
  WHEN ((OLD."open_until" IS NULL) <> (NEW."open_until" IS NULL) AND NEW."last_failure_at" IS NOT NULL)
  EXECUTE FUNCTION "raise_breaker_event"();

-- It goes to the environment of its endpoint, else to the default one.
CREATE FUNCTION "raise_operation_completed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "operational_event" ("workspace_id", "environment_id", "event_type", "facts")
  SELECT NEW."workspace_id", e."id", t."name", json_build_object(
    'operationId', NEW."id", 'operationType', NEW."type", 'endpointId', NEW."endpoint_id", 'matched', NEW."matched",
    'enqueued', NEW."enqueued", 'delivered', NEW."delivered", 'failed', NEW."failed", 'finishedAt', NEW."finished_at")
  FROM "event_type" t
  JOIN "environment" e ON e."workspace_id" = t."workspace_id" AND CASE
    WHEN NEW."endpoint_id" IS NULL THEN e."is_default" AND e."deleted_at" IS NULL
    ELSE e."id" = (SELECT p."environment_id" FROM "endpoint" p WHERE p."id" = NEW."endpoint_id") END
  JOIN "published_event_type" v ON v."event_type_id" = t."id" AND v."environment_id" = e."id"
  WHERE t."workspace_id" = NEW."workspace_id" AND t."name" = 'posthorn.operation.completed';
  RETURN NULL;
END
$$;
CREATE TRIGGER "operation_operational_event" AFTER UPDATE ON "operation" FOR EACH ROW
  WHEN (OLD."finished_at" IS NULL AND NEW."finished_at" IS NOT NULL AND NEW."status" = 'completed')
  EXECUTE FUNCTION "raise_operation_completed"();
