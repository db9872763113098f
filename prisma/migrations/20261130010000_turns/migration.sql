-- Where the next round of each lane goes on: behind the owner who had the last turn.
CREATE TABLE "turn" (
  "lane" TEXT PRIMARY KEY,
  "after_owner" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  "after_workspace" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
);
INSERT INTO "turn" ("lane") VALUES
  ('account_mail'), ('outgoing_mail'), ('outgoing_alert'), ('alert_state'), ('short_payload'), ('erased_event'), ('endpoint');

-- Erasures that are repeated, and deleted endpoints, are taken in turns, too. A row of the version before has no workspace.
ALTER TABLE "erased_event" ADD COLUMN "workspace_id" UUID;
CREATE INDEX "erased_event_workspace_id_again_at_idx" ON "erased_event" ("workspace_id", "again_at");
CREATE INDEX "endpoint_to_clear_turns_idx" ON "endpoint" ("workspace_id", "deleted_at") WHERE "deleted_at" IS NOT NULL AND "cleared_at" IS NULL;
DROP INDEX "endpoint_to_clear_idx";
