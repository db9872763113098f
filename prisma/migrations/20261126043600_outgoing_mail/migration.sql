-- CreateTable
CREATE TABLE "outgoing_mail" (
    "id" UUID NOT NULL,
    "workspace_id" UUID,
    "user_id" UUID,
    "kind" TEXT NOT NULL,
    "content" BYTEA,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_at" TIMESTAMPTZ(6) DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "claim" UUID,
    "claimed_until" TIMESTAMPTZ(6),

    CONSTRAINT "outgoing_mail_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "outgoing_mail_workspace_id_created_at_idx" ON "outgoing_mail"("workspace_id", "created_at");

-- CreateIndex
CREATE INDEX "outgoing_mail_user_id_created_at_idx" ON "outgoing_mail"("user_id", "created_at");

-- AddForeignKey
ALTER TABLE "outgoing_mail" ADD CONSTRAINT "outgoing_mail_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outgoing_mail" ADD CONSTRAINT "outgoing_mail_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what Prisma's schema cannot say.

-- The mails that wait, which a process looks for every second.
CREATE INDEX "outgoing_mail_due_idx" ON "outgoing_mail" ("due_at", "id") WHERE "due_at" IS NOT NULL;
