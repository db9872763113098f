-- AlterTable
ALTER TABLE "endpoint_health" ADD COLUMN     "open_step" SMALLINT NOT NULL DEFAULT 0,
ADD COLUMN     "open_until" TIMESTAMPTZ(6),
ADD COLUMN     "probe_delivery_id" UUID,
ADD COLUMN     "window_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "window_failures" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "window_started_at" TIMESTAMPTZ(6);

-- By hand: what Prisma's schema cannot say.

-- The endpoints whose breaker is open: most often none, so that a claim learns at no cost that there is none.
CREATE INDEX "endpoint_health_open_idx" ON "endpoint_health" ("endpoint_id") INCLUDE ("open_until") WHERE "open_until" IS NOT NULL;
