-- The dispatchers ask four times a second whether there is a source to read.
CREATE INDEX "source_active_idx" ON "source" ("id") WHERE "is_active";
