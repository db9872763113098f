-- AlterTable
ALTER TABLE "endpoint" ADD COLUMN     "external_id" TEXT;

-- By hand: what Prisma's schema cannot say.

CREATE UNIQUE INDEX "endpoint_live_external_id_key" ON "endpoint" ("environment_id", "external_id") WHERE "deleted_at" IS NULL AND "external_id" IS NOT NULL;
-- A reference without an environment is looked up in the whole workspace.
CREATE INDEX "endpoint_external_id_idx" ON "endpoint" ("workspace_id", "external_id") WHERE "deleted_at" IS NULL AND "external_id" IS NOT NULL;
