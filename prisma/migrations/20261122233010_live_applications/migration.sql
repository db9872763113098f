-- posthorn: concurrently
-- For lists of applications: deleted rows stay, and a page of the list read all of them before the first live one.
CREATE INDEX "application_live_idx" ON "application" ("workspace_id", "id" DESC) WHERE "deleted_at" IS NULL;
