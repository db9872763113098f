-- posthorn: concurrently
-- Only events whose fan-out did not end are in it: other events pay nothing.
CREATE INDEX "pending_fan_out_begun_idx" ON "pending_fan_out" ("event_id") WHERE "has_begun";
