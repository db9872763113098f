-- AlterTable
ALTER TABLE "event_type" ADD COLUMN     "agent_filters" JSON;
