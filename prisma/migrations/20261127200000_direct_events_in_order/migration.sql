-- posthorn: concurrently
-- Events with an ordering key that were sent directly to an endpoint. A scheduled one has no delivery before its time, so the
-- erasure of a customer finds it here. Other events are not in this index.
CREATE INDEX "event_direct_ordered_idx" ON "event" ("endpoint_id", "id") WHERE "endpoint_id" IS NOT NULL AND "ordering_key" IS NOT NULL;
