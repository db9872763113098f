-- AlterTable
ALTER TABLE "event" ADD COLUMN     "source" JSON;

-- CreateTable
CREATE TABLE "source" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "config" JSON NOT NULL,
    "credentials" JSON NOT NULL DEFAULT '{}',
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "revision" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,
    "reader" UUID,
    "read_until" TIMESTAMPTZ(6),
    "status" TEXT NOT NULL DEFAULT 'starting',
    "error" TEXT,
    "lag_records" BIGINT,
    "last_record_at" TIMESTAMPTZ(3),
    "rejected" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "source_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "source_place" (
    "source_id" UUID NOT NULL,
    "topic" TEXT NOT NULL,
    "partition" INTEGER NOT NULL,
    "topic_id" TEXT,
    "next_offset" BIGINT,
    "start_at" TEXT,

    CONSTRAINT "source_place_pkey" PRIMARY KEY ("source_id","topic","partition")
);

-- CreateTable
CREATE TABLE "source_rejection" (
    "source_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "topic" TEXT NOT NULL,
    "partition" INTEGER NOT NULL,
    "record_offset" BIGINT NOT NULL,
    "reason" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "source_rejection_pkey" PRIMARY KEY ("source_id","id")
);

-- CreateIndex
CREATE INDEX "source_workspace_id_idx" ON "source"("workspace_id");

-- AddForeignKey
ALTER TABLE "source" ADD CONSTRAINT "source_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "source" ADD CONSTRAINT "source_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "source_place" ADD CONSTRAINT "source_place_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "source"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "source_rejection" ADD CONSTRAINT "source_rejection_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "source"("id") ON DELETE CASCADE ON UPDATE CASCADE;
