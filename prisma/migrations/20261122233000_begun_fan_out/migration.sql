-- AlterTable
ALTER TABLE "pending_fan_out" ADD COLUMN     "has_begun" BOOLEAN NOT NULL DEFAULT false;
