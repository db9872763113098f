-- CreateEnum
CREATE TYPE "session_kind" AS ENUM ('browser', 'device');

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "kind" "session_kind" NOT NULL DEFAULT 'browser',
ADD COLUMN     "name" TEXT;

-- CreateTable
CREATE TABLE "device_login" (
    "id" UUID NOT NULL,
    "device_code_digest" BYTEA NOT NULL,
    "user_code_digest" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "next_poll_at" TIMESTAMPTZ(6) NOT NULL,
    "interval_seconds" INTEGER NOT NULL,
    "refused_at" TIMESTAMPTZ(6),
    "session_id" UUID,

    CONSTRAINT "device_login_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "device_login_device_code_digest_key" ON "device_login"("device_code_digest");

-- CreateIndex
CREATE UNIQUE INDEX "device_login_user_code_digest_key" ON "device_login"("user_code_digest");

-- CreateIndex
CREATE INDEX "device_login_network_idx" ON "device_login"("network");

-- CreateIndex
CREATE INDEX "device_login_expires_at_idx" ON "device_login"("expires_at");

-- CreateIndex
CREATE INDEX "device_login_session_id_idx" ON "device_login"("session_id");

-- AddForeignKey
ALTER TABLE "device_login" ADD CONSTRAINT "device_login_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
