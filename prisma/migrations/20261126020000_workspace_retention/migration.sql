-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "payload_retention_hours" INTEGER,
ADD COLUMN     "retention_hours" INTEGER;

-- CreateTable
CREATE TABLE "payload_retention" (
    "workspace_id" UUID NOT NULL,
    "erased_to" UUID NOT NULL,

    CONSTRAINT "payload_retention_pkey" PRIMARY KEY ("workspace_id")
);

-- By hand: what Prisma's schema cannot say.

CREATE INDEX "workspace_retention_idx" ON "workspace" ("id") WHERE "payload_retention_hours" IS NOT NULL OR "retention_hours" IS NOT NULL;
