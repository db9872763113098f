-- What a workspace may send and keep, where the operator has set it, and what it has sent by UTC day.
ALTER TABLE "workspace" ADD COLUMN "events_per_day" BIGINT, ADD COLUMN "bytes_kept" BIGINT;

-- A row is updated once a second by each API process that got an event of the workspace: room for its new versions on
-- the same page.
CREATE TABLE "workspace_usage" (
    "workspace_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "events" BIGINT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "workspace_usage_pkey" PRIMARY KEY ("workspace_id","day")
) WITH (fillfactor = 50);
