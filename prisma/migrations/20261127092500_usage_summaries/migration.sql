-- posthorn: concurrently
-- Each count of usage reads all blocks that have no summary yet. Without `autosummarize` only a vacuum makes summaries, and
-- the last fifth of each day may wait for one until the day is dropped.
CREATE INDEX "attempt_settled_at_idx" ON "attempt" USING brin ("settled_at") WITH (autosummarize = on);
CREATE INDEX "delivery_matched_at_idx" ON "delivery" USING brin ("matched_at") WITH (autosummarize = on);
