-- posthorn: concurrently
-- For lists that are filtered by event type or environment: without these a page of a rare type reads every row of the
-- workspace. Each is partial, on what its filter implies, so that it is considered for no other statement: on a day's
-- empty partition an index that merely holds the key looks as good as the primary key.
CREATE INDEX "delivery_workspace_event_type_idx" ON "delivery" ("workspace_id", "event_type", "id" DESC) WHERE "event_type" IS NOT NULL;
CREATE INDEX "delivery_environment_idx" ON "delivery" ("environment_id", "id" DESC) WHERE "environment_id" IS NOT NULL;
