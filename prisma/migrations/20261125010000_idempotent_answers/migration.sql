-- CreateTable
CREATE TABLE "idempotent_answer" (
    "digest" BYTEA NOT NULL,
    "workspace_id" UUID NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "answer" TEXT,
    "secrets_sealed" BYTEA,
    "secrets_until" TIMESTAMPTZ(6),
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "idempotent_answer_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "idempotent_answer_expires_at_idx" ON "idempotent_answer"("expires_at");

-- By hand: what Prisma's schema cannot say.

-- The secrets whose time is over are deleted every minute.
CREATE INDEX "idempotent_answer_secrets_until_idx" ON "idempotent_answer" ("secrets_until") WHERE "secrets_until" IS NOT NULL;
-- The large answers of a workspace are counted before another one is kept.
CREATE INDEX "idempotent_answer_large_idx" ON "idempotent_answer" ("workspace_id") WHERE octet_length("answer") > 16384;
