-- posthorn: concurrently
-- For the lists of a workspace's events and of those sent to an application. Other filters read at most a fixed number
-- of events for a page, so they need no index: each one costs every ingested event.
CREATE INDEX "event_workspace_id_id_idx" ON "event" ("workspace_id", "id" DESC);
CREATE INDEX "event_application_idx" ON "event" ("application_id", "id" DESC) WHERE "application_id" IS NOT NULL;
-- For the trace: the endpoints of an environment that existed at a time, without those that were deleted long before.
CREATE INDEX "endpoint_environment_live_idx" ON "endpoint" ("environment_id", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "endpoint_environment_deleted_idx" ON "endpoint" ("environment_id", "deleted_at") WHERE "deleted_at" IS NOT NULL;
