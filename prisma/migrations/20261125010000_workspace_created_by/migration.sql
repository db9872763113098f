-- The account that created a workspace: its workspaces share one part of what a process has for all.
ALTER TABLE "workspace" ADD COLUMN "created_by" UUID;
UPDATE "workspace" w SET "created_by" = (
  SELECT m."user_id" FROM "member" m WHERE m."workspace_id" = w."id" AND m."role" = 'owner'
  ORDER BY m."created_at", m."user_id" LIMIT 1);
