-- posthorn: concurrently
-- For the count of usage: what a few minutes added to any day. Rows come in the sequence of time, so that a summary of
-- blocks suffices, which costs an insert next to nothing.
CREATE INDEX "attempt_settled_idx" ON "attempt" USING brin ("settled_at");
CREATE INDEX "delivery_matched_idx" ON "delivery" USING brin ("matched_at");
