-- AlterTable
ALTER TABLE "attempt" ADD COLUMN     "request_body" BYTEA;
