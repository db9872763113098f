-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "filter" JSON;
