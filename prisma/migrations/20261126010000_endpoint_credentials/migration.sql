-- AlterTable
ALTER TABLE "endpoint" ADD COLUMN     "credentials" JSON NOT NULL DEFAULT '{}';
