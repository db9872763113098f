-- For the count and the pages of a workspace's endpoints: deleted ones stay in the table, and are in no list.
CREATE INDEX "endpoint_live_idx" ON "endpoint" ("workspace_id", "id") WHERE "deleted_at" IS NULL;
