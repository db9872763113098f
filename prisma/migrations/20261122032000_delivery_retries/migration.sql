-- posthorn: concurrently
-- The retries of each workspace, by due time: the reconciler reads some of each, whatever the others flood. Partial, so
-- that a delivery that succeeds at once is never in it.
CREATE INDEX "delivery_retry_idx" ON "delivery" ("workspace_id", "due_at") WHERE "due_at" IS NOT NULL AND "schedule_step" > 0;
