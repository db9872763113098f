-- A healthy endpoint has a hundred thousand delivered rows and no failed one: these find "none" without reading them all.
-- Only what failed is in them, so that a delivery which arrives at its first attempt never touches them.
CREATE INDEX "delivery_endpoint_failed_idx" ON "delivery" ("endpoint_id", "id" DESC) WHERE "failure_reason" IS NOT NULL;
CREATE INDEX "delivery_workspace_failed_idx" ON "delivery" ("workspace_id", "id" DESC) WHERE "failure_reason" IS NOT NULL;
