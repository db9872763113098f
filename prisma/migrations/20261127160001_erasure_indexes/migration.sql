-- posthorn: concurrently
-- The operational events of a workspace, which the erasure of a customer reads. Any other event costs a comparison.
CREATE INDEX "event_operational_idx" ON "event" ("workspace_id", "id") WHERE "event_type" LIKE 'posthorn.%';
-- The kept answers of a workspace, and those that repeat a test or a cancelled event: they go with its payload. An id has
-- fewer than 64 characters; a longer text is something that a caller wrote, and may be too long for an index.
CREATE INDEX "idempotent_answer_subject_idx" ON "idempotent_answer" ("workspace_id", (substring("answer" from '"id":"((msg|att)_[^"]{1,64})"')));
