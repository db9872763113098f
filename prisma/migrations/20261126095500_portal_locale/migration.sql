-- AlterTable
ALTER TABLE "portal_session" ADD COLUMN     "locale" TEXT NOT NULL DEFAULT 'en';
