-- posthorn: concurrently
-- The open deliveries of an endpoint with an ordering key: the head first, then what waits, in order. Only these are in
-- it, and its predicate holds no column that a claim changes.
CREATE INDEX "delivery_ordering_idx" ON "delivery" ("endpoint_id", "ordering_key", "due_at", "ordering_number") WHERE "due_at" IS NOT NULL AND "ordering_key" IS NOT NULL;
-- For lists of scheduled events: partial, so that other events pay nothing.
CREATE INDEX "event_scheduled_idx" ON "event" ("workspace_id", "id" DESC) WHERE "deliver_at" IS NOT NULL;
