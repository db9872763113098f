-- AlterTable
ALTER TABLE "user" ADD COLUMN     "sign_in_digest" BYTEA,
ADD COLUMN     "sign_in_token_ends_at" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "member" ADD COLUMN     "is_from_groups" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "id_token_sealed" BYTEA,
ADD COLUMN     "is_by_provider" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "identity" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "identity_pkey" PRIMARY KEY ("issuer","subject")
);

-- CreateTable
CREATE TABLE "oidc_sign_in" (
    "digest" BYTEA NOT NULL,
    "network" TEXT NOT NULL,
    "return_to" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "session_id" UUID,

    CONSTRAINT "oidc_sign_in_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE UNIQUE INDEX "identity_user_id_issuer_key" ON "identity"("user_id", "issuer");

-- CreateIndex
CREATE INDEX "oidc_sign_in_network_created_at_idx" ON "oidc_sign_in"("network", "created_at");

-- CreateIndex
CREATE INDEX "oidc_sign_in_expires_at_idx" ON "oidc_sign_in"("expires_at");

-- CreateIndex
CREATE INDEX "oidc_sign_in_session_id_idx" ON "oidc_sign_in"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "user_sign_in_digest_key" ON "user"("sign_in_digest");

-- AddForeignKey
ALTER TABLE "identity" ADD CONSTRAINT "identity_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oidc_sign_in" ADD CONSTRAINT "oidc_sign_in_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
