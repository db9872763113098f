-- posthorn: concurrently
-- All deliveries that are fetched, so that the statement of an earlier version reads no others either: it names `leased_until`.
CREATE INDEX "delivery_pull_leased_idx" ON "delivery" ("pull_leased_until") WHERE "is_pulled";
