-- AlterTable
ALTER TABLE "source" ADD COLUMN     "external_id" TEXT,
ADD COLUMN     "promoted_from" UUID;

-- CreateIndex
CREATE UNIQUE INDEX "source_environment_id_external_id_key" ON "source"("environment_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "source_environment_id_promoted_from_key" ON "source"("environment_id", "promoted_from");
