-- What attempts keep counts against a quota of its own. Attempts from before the upgrade are not counted.
ALTER TABLE "workspace" ADD COLUMN "attempt_bytes_kept" BIGINT;
ALTER TABLE "workspace_usage" ADD COLUMN "attempt_bytes" BIGINT NOT NULL DEFAULT 0;
