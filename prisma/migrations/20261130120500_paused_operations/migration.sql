-- AlterTable
ALTER TABLE "operation" ADD COLUMN "paused_at" TIMESTAMPTZ(3);
