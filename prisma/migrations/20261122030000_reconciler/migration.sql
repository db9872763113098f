-- AlterTable
ALTER TABLE "pending_fan_out" ADD COLUMN     "due_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
ADD COLUMN     "enqueues" SMALLINT NOT NULL DEFAULT 0;

-- DropIndex
DROP INDEX "subscription_event_type_id_idx";

-- CreateIndex
CREATE INDEX "subscription_event_type_id_endpoint_id_idx" ON "subscription"("event_type_id", "endpoint_id");
