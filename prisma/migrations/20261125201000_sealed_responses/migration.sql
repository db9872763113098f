-- AlterTable
ALTER TABLE "attempt" ADD COLUMN     "response_headers_sealed" BYTEA,
ADD COLUMN     "response_body_sealed" BYTEA;
