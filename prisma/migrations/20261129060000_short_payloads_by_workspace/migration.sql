-- posthorn: concurrently

create index "short_payload_workspace_id_due_at_idx" on "short_payload" ("workspace_id", "due_at");
