-- DropIndex
DROP INDEX "outgoing_alert_due_at_idx";

-- CreateIndex
CREATE INDEX "outgoing_alert_workspace_id_due_at_idx" ON "outgoing_alert"("workspace_id", "due_at");

-- By hand: what Prisma's schema cannot say.

-- The mails that wait, by workspace: they take turns.
CREATE INDEX "outgoing_mail_turns_idx" ON "outgoing_mail" ("workspace_id", "due_at") WHERE "due_at" IS NOT NULL;
