-- What waits takes turns by owner: the claimed rows count, and what alert rules have to tell has an order in its workspace.
CREATE INDEX "outgoing_mail_claimed_idx" ON "outgoing_mail" ("claimed_until") WHERE "claimed_until" IS NOT NULL;
CREATE INDEX "outgoing_alert_claimed_idx" ON "outgoing_alert" ("claimed_until") WHERE "claimed_until" IS NOT NULL;
CREATE INDEX "alert_state_turns_idx" ON "alert_state" ("workspace_id", "due_at") WHERE "due_at" IS NOT NULL;
