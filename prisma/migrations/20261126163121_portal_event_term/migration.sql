-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "portal_event_term" TEXT NOT NULL DEFAULT 'Message';
