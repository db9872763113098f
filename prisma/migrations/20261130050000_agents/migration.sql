-- AlterTable
ALTER TABLE "environment" ADD COLUMN     "agents" JSON;

-- AlterTable
ALTER TABLE "endpoint" ADD COLUMN     "is_temporary" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "agent_key" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "application_id" UUID,
    "name" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "preview" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(6),
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "agent_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_subscription" (
    "endpoint_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "application_id" UUID,
    "identity" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "agent_key_id" UUID,
    "event_type_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "arguments" JSON NOT NULL,
    "url" TEXT NOT NULL,
    "dialect" TEXT NOT NULL,
    "client_name" TEXT,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "refreshed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "rotation_told_at" TIMESTAMPTZ(6),
    "ended_at" TIMESTAMPTZ(6),
    "end_reason" TEXT,

    CONSTRAINT "agent_subscription_pkey" PRIMARY KEY ("endpoint_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "agent_key_digest_key" ON "agent_key"("digest");

-- CreateIndex
CREATE INDEX "agent_key_workspace_id_id_idx" ON "agent_key"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "agent_key_environment_id_idx" ON "agent_key"("environment_id");

-- CreateIndex
CREATE INDEX "agent_key_application_id_idx" ON "agent_key"("application_id");

-- CreateIndex
CREATE INDEX "agent_subscription_workspace_id_endpoint_id_idx" ON "agent_subscription"("workspace_id", "endpoint_id" DESC);

-- CreateIndex
CREATE INDEX "agent_subscription_application_id_endpoint_id_idx" ON "agent_subscription"("application_id", "endpoint_id" DESC);

-- AddForeignKey
ALTER TABLE "agent_key" ADD CONSTRAINT "agent_key_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_key" ADD CONSTRAINT "agent_key_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what Prisma's schema cannot say.

-- One live subscription of an identity: two equal requests at once make one.
CREATE UNIQUE INDEX "agent_subscription_identity_idx" ON "agent_subscription" ("identity") WHERE "ended_at" IS NULL;
CREATE INDEX "agent_subscription_principal_idx" ON "agent_subscription" ("environment_id", "principal") WHERE "ended_at" IS NULL;
CREATE INDEX "agent_subscription_expiry_idx" ON "agent_subscription" ("expires_at") WHERE "ended_at" IS NULL;
CREATE INDEX "agent_subscription_ended_idx" ON "agent_subscription" ("ended_at") WHERE "ended_at" IS NOT NULL;

-- The end of an agent's subscription, and its failures, concern the agent alone: neither operational events nor alerts tell
-- of them.
CREATE OR REPLACE FUNCTION "gets_operational_events_alone"(endpoint_key uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(bool_and(t."name" LIKE 'posthorn.%'), false)
    OR EXISTS (SELECT FROM "endpoint" p WHERE p."id" = endpoint_key AND p."is_temporary")
  FROM "subscription" s JOIN "event_type" t ON t."id" = s."event_type_id" WHERE s."endpoint_id" = endpoint_key
$$;

CREATE OR REPLACE FUNCTION "raise_delivery_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanted text := CASE NEW."status" WHEN 'failed' THEN 'posthorn.delivery.failed' ELSE 'posthorn.delivery.dead_letter' END;
  application uuid;
BEGIN
  IF EXISTS (SELECT FROM "endpoint" p WHERE p."id" = NEW."endpoint_id" AND p."is_temporary") THEN
    RETURN NULL;
  END IF;
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
