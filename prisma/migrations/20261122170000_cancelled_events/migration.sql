-- AlterTable
-- No release has written rows of this table.
ALTER TABLE "cancelled_event" ADD COLUMN     "workspace_id" UUID NOT NULL;

-- CreateIndex
CREATE INDEX "cancelled_event_workspace_id_event_id_idx" ON "cancelled_event"("workspace_id", "event_id" DESC);
