-- A type's JSON Schema, how each environment checks payloads by it, and the faults that were found.
CREATE TYPE "schema_mode" AS ENUM ('warn', 'reject');

ALTER TABLE "event_type" ADD COLUMN "schema" JSON, ADD COLUMN "schema_version" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "event_type_schema_mode" (
    "environment_id" UUID NOT NULL,
    "event_type_id" UUID NOT NULL,
    "mode" "schema_mode" NOT NULL,

    CONSTRAINT "event_type_schema_mode_pkey" PRIMARY KEY ("environment_id","event_type_id")
);

CREATE INDEX "event_type_schema_mode_event_type_id_idx" ON "event_type_schema_mode"("event_type_id");

ALTER TABLE "event_type_schema_mode" ADD CONSTRAINT "event_type_schema_mode_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "event_type_schema_mode" ADD CONSTRAINT "event_type_schema_mode_event_type_id_fkey" FOREIGN KEY ("event_type_id") REFERENCES "event_type"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "event" ADD COLUMN "schema_errors" JSONB;
ALTER TABLE "idempotency_record" ADD COLUMN "schema_errors" JSONB;
