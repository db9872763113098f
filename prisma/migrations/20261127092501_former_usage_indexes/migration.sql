DROP INDEX "attempt_settled_idx";
DROP INDEX "delivery_matched_idx";
