-- posthorn: concurrently
-- For the lists of a workspace's events and of those sent to an application. Other filters read at most a fixed number
-- of events for a page, so they need no index: each one costs every ingested event. Both are partial, on what their
-- filter implies, so that they are considered for no other statement: on a day's empty partition an index that merely
-- holds the key looks as good as the primary key.
CREATE INDEX "event_workspace_idx" ON "event" ("workspace_id", "id" DESC) WHERE "workspace_id" IS NOT NULL;
CREATE INDEX "event_application_idx" ON "event" ("application_id", "id" DESC) WHERE "application_id" IS NOT NULL;
-- For the trace: the endpoints of an environment that existed at a time, without those that were deleted long before.
CREATE INDEX "endpoint_environment_live_idx" ON "endpoint" ("environment_id", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "endpoint_environment_deleted_idx" ON "endpoint" ("environment_id", "deleted_at") WHERE "deleted_at" IS NOT NULL;
