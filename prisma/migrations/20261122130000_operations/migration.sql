-- CreateEnum
CREATE TYPE "operation_type" AS ENUM ('recovery', 'retry', 'cancel');

-- CreateEnum
CREATE TYPE "operation_status" AS ENUM ('counting', 'running', 'completed', 'cancelled', 'failed');

-- CreateEnum
CREATE TYPE "operation_phase" AS ENUM ('count_deliveries', 'count_events', 'deliveries', 'events', 'done');

-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "operation_id" UUID;

-- CreateTable
CREATE TABLE "operation" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "endpoint_id" UUID,
    "type" "operation_type" NOT NULL,
    "status" "operation_status" NOT NULL DEFAULT 'counting',
    "filter" JSON NOT NULL,
    "scope" JSON NOT NULL,
    "matched" INTEGER NOT NULL DEFAULT 0,
    "is_counted" BOOLEAN NOT NULL DEFAULT false,
    "enqueued" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "unended" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "next_turn_at" TIMESTAMPTZ(6) DEFAULT CURRENT_TIMESTAMP,
    "turn_token" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "operation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operation_part" (
    "operation_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "phase" "operation_phase" NOT NULL,
    "position" UUID NOT NULL,
    "waiting" INTEGER NOT NULL DEFAULT 0,
    "settled" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "turn_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "operation_part_pkey" PRIMARY KEY ("operation_id","endpoint_id")
);

-- CreateTable
CREATE TABLE "operation_progress" (
    "operation_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "attempted" BOOLEAN NOT NULL,
    "delivered" BOOLEAN NOT NULL,
    "failed" BOOLEAN NOT NULL,
    "taken_over" BOOLEAN NOT NULL,

    CONSTRAINT "operation_progress_pkey" PRIMARY KEY ("operation_id","endpoint_id","id")
);

-- CreateIndex
CREATE INDEX "operation_workspace_id_id_idx" ON "operation"("workspace_id", "id" DESC);

-- CreateIndex
CREATE INDEX "operation_next_turn_at_idx" ON "operation"("next_turn_at");

-- CreateIndex
CREATE INDEX "operation_part_endpoint_id_idx" ON "operation_part"("endpoint_id");

-- AddForeignKey
ALTER TABLE "operation_part" ADD CONSTRAINT "operation_part_operation_id_fkey" FOREIGN KEY ("operation_id") REFERENCES "operation"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- By hand: what Prisma's schema cannot say.

-- Notes what became of a delivery that an operation enqueued: attempted for the first time since, ended, or taken over
-- by another retry. AFTER and with a condition, so that other deliveries are neither locked earlier nor cost a call.
CREATE FUNCTION "note_operation_progress"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "operation_progress" ("operation_id", "endpoint_id", "attempted", "delivered", "failed", "taken_over")
  VALUES (OLD."operation_id", OLD."endpoint_id", OLD."next_trigger" <> 'schedule',
    NEW."operation_id" IS NOT DISTINCT FROM OLD."operation_id" AND NEW."status" = 'delivered',
    NEW."operation_id" IS NOT DISTINCT FROM OLD."operation_id" AND NEW."status" IN ('failed', 'dead_letter'),
    NEW."operation_id" IS DISTINCT FROM OLD."operation_id");
  RETURN NULL;
END
$$;
CREATE TRIGGER "delivery_operation_progress" AFTER UPDATE ON "delivery" FOR EACH ROW
  WHEN (OLD."operation_id" IS NOT NULL AND OLD."status" NOT IN ('delivered', 'failed', 'dead_letter')
    AND (NEW."operation_id" IS DISTINCT FROM OLD."operation_id" OR NEW."status" IN ('delivered', 'failed', 'dead_letter')
      OR (OLD."next_trigger" <> 'schedule' AND NEW."next_trigger" = 'schedule')))
  EXECUTE FUNCTION "note_operation_progress"();
