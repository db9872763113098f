-- AlterTable
ALTER TABLE "outgoing_mail" ADD COLUMN     "application_ids" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "rule_id" UUID;

-- CreateTable
CREATE TABLE "alert_rule" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "application_id" UUID,
    "environment_id" UUID,
    "is_of_portal" BOOLEAN NOT NULL DEFAULT false,
    "name" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "target_sealed" BYTEA NOT NULL,
    "target_shown" TEXT NOT NULL,
    "events" TEXT[],
    "quiet_minutes" INTEGER NOT NULL,
    "confirmed_at" TIMESTAMPTZ(6),
    "confirm_digest" BYTEA,
    "confirm_ends_at" TIMESTAMPTZ(6),
    "last_sent_at" TIMESTAMPTZ(6),
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alert_rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "raised_alert" (
    "workspace_id" UUID NOT NULL,
    "raised_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "environment_id" UUID NOT NULL,
    "application_id" UUID,
    "endpoint_id" UUID,
    "event_type" TEXT NOT NULL,
    "facts" JSON NOT NULL,

    CONSTRAINT "raised_alert_pkey" PRIMARY KEY ("workspace_id","raised_at","id")
);

-- CreateTable
CREATE TABLE "alert_state" (
    "rule_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "subjects" JSONB NOT NULL DEFAULT '[]',
    "occurrences" BIGINT NOT NULL DEFAULT 0,
    "first_at" TIMESTAMPTZ(6),
    "due_at" TIMESTAMPTZ(6),
    "quiet_until" TIMESTAMPTZ(6),

    CONSTRAINT "alert_state_pkey" PRIMARY KEY ("rule_id","event_type")
);

-- CreateTable
CREATE TABLE "outgoing_alert" (
    "id" UUID NOT NULL,
    "rule_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "claim" UUID,
    "claimed_until" TIMESTAMPTZ(6),

    CONSTRAINT "outgoing_alert_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "alert_rule_confirm_digest_key" ON "alert_rule"("confirm_digest");

-- CreateIndex
CREATE INDEX "alert_rule_workspace_id_application_id_idx" ON "alert_rule"("workspace_id", "application_id");

-- CreateIndex
CREATE INDEX "outgoing_alert_due_at_idx" ON "outgoing_alert"("due_at");

-- CreateIndex
CREATE INDEX "outgoing_alert_rule_id_idx" ON "outgoing_alert"("rule_id");

-- CreateIndex
CREATE INDEX "outgoing_mail_rule_id_idx" ON "outgoing_mail"("rule_id");

-- AddForeignKey
ALTER TABLE "outgoing_mail" ADD CONSTRAINT "outgoing_mail_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "alert_rule"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_rule" ADD CONSTRAINT "alert_rule_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_rule" ADD CONSTRAINT "alert_rule_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_rule" ADD CONSTRAINT "alert_rule_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_state" ADD CONSTRAINT "alert_state_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "alert_rule"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outgoing_alert" ADD CONSTRAINT "outgoing_alert_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "alert_rule"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what Prisma's schema cannot say.

CREATE INDEX "alert_state_due_idx" ON "alert_state" ("due_at") WHERE "due_at" IS NOT NULL;

-- The triggers of operational events raise alerts, too: in the transaction of their cause, and only where a rule wants
-- them. A workspace without a rule costs one look-up by key.
CREATE FUNCTION "raise_alert"(workspace uuid, environment uuid, application uuid, endpoint uuid, kind text, facts json)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO "raised_alert" ("workspace_id", "environment_id", "application_id", "endpoint_id", "event_type", "facts")
  SELECT workspace, environment, application, endpoint, kind, facts
  WHERE EXISTS (
    SELECT FROM "alert_rule" r
    WHERE r."workspace_id" = workspace AND (r."application_id" IS NULL OR r."application_id" = application)
      AND (r."environment_id" IS NULL OR r."environment_id" = environment) AND kind = ANY (r."events"))
$$;

CREATE OR REPLACE FUNCTION "raise_delivery_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanted text := CASE NEW."status" WHEN 'failed' THEN 'posthorn.delivery.failed' ELSE 'posthorn.delivery.dead_letter' END;
  application uuid;
BEGIN
  IF EXISTS (SELECT FROM "alert_rule" WHERE "workspace_id" = NEW."workspace_id" AND wanted = ANY ("events")) THEN
    SELECT p."application_id" INTO application FROM "endpoint" p WHERE p."id" = NEW."endpoint_id";
    PERFORM "raise_alert"(NEW."workspace_id", NEW."environment_id", application, NEW."endpoint_id", wanted,
      json_build_object('deliveryId', NEW."id", 'failureReason', NEW."failure_reason",
        'totalAttempts', NEW."total_attempts", 'lastResponseStatus', NEW."last_response_status"));
  END IF;
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

CREATE OR REPLACE FUNCTION "raise_endpoint_disabled"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."disabled_reason" IS DISTINCT FROM 'manual' AND "gets_operational_events_alone"(NEW."id") THEN
    RETURN NULL;
  END IF;
  PERFORM "raise_alert"(NEW."workspace_id", NEW."environment_id", NEW."application_id", NEW."id",
    'posthorn.endpoint.disabled', json_build_object('disabledReason', NEW."disabled_reason", 'disabledAt', NEW."disabled_at"));
  INSERT INTO "operational_event" ("workspace_id", "environment_id", "event_type", "facts")
  SELECT NEW."workspace_id", NEW."environment_id", t."name", json_build_object(
    'endpointId', NEW."id", 'applicationId', NEW."application_id", 'environmentId', NEW."environment_id",
    'url', NEW."url", 'disabledReason', NEW."disabled_reason", 'disabledAt', NEW."disabled_at")
  FROM "event_type" t
  JOIN "published_event_type" v ON v."event_type_id" = t."id" AND v."environment_id" = NEW."environment_id"
  WHERE t."workspace_id" = NEW."workspace_id" AND t."name" = 'posthorn.endpoint.disabled';
  RETURN NULL;
END
$$;

-- An alert has a quiet time of its own, so it needs no hour between two of an endpoint.
CREATE OR REPLACE FUNCTION "raise_breaker_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanted text := CASE WHEN NEW."open_until" IS NULL THEN 'posthorn.endpoint.recovered' ELSE 'posthorn.endpoint.failing' END;
  since timestamptz := coalesce(OLD."failing_since", NEW."failing_since");
BEGIN
  PERFORM "raise_alert"(p."workspace_id", p."environment_id", p."application_id", p."id", wanted,
    json_build_object('failingSince', since))
  FROM "endpoint" p WHERE p."id" = NEW."endpoint_id" AND NOT "gets_operational_events_alone"(p."id");
  INSERT INTO "operational_event" ("workspace_id", "environment_id", "event_type", "facts")
  SELECT p."workspace_id", p."environment_id", t."name", json_build_object(
    'endpointId', p."id", 'applicationId', p."application_id", 'environmentId', p."environment_id", 'url', p."url",
    'failingSince', since)
  FROM "endpoint" p
  JOIN "event_type" t ON t."workspace_id" = p."workspace_id" AND t."name" = wanted
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

CREATE OR REPLACE FUNCTION "raise_operation_completed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "raise_alert"(NEW."workspace_id", e."id", p."application_id", NEW."endpoint_id", 'posthorn.operation.completed',
    json_build_object('operationId', NEW."id", 'operationType', NEW."type", 'matched', NEW."matched",
      'delivered', NEW."delivered", 'failed', NEW."failed"))
  FROM "environment" e LEFT JOIN "endpoint" p ON p."id" = NEW."endpoint_id"
  WHERE e."workspace_id" = NEW."workspace_id" AND CASE
    WHEN NEW."endpoint_id" IS NULL THEN e."is_default" AND e."deleted_at" IS NULL ELSE e."id" = p."environment_id" END;
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
