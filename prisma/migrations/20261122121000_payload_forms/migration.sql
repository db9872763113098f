-- AlterTable
ALTER TABLE "endpoint" ADD COLUMN     "secret_headers" JSON NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "signing_secret" ADD COLUMN     "private_key_sealed" BYTEA,
ADD COLUMN     "public_key" BYTEA;
