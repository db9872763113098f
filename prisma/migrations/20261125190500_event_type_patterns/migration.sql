-- AlterTable
ALTER TABLE "endpoint" ADD COLUMN     "event_type_patterns" JSON;

-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "pattern" TEXT;

-- By hand: what Prisma's schema cannot say.

-- A new event type is subscribed by every endpoint with a pattern that it fits.
CREATE INDEX "endpoint_event_type_patterns_idx" ON "endpoint" ("workspace_id", "id")
  WHERE "deleted_at" IS NULL AND "event_type_patterns" IS NOT NULL;
