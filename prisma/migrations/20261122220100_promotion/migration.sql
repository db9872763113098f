-- AlterTable
ALTER TABLE "endpoint" ADD COLUMN     "promoted_from" UUID;

-- By hand: what Prisma's schema cannot say. An endpoint stands for at most one other in an environment.
CREATE UNIQUE INDEX "endpoint_environment_id_promoted_from_key" ON "endpoint" ("environment_id", "promoted_from")
  WHERE "promoted_from" IS NOT NULL AND "deleted_at" IS NULL;
