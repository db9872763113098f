-- AlterTable
ALTER TABLE "environment" ADD COLUMN     "agent_subjects_sealed" BYTEA;
