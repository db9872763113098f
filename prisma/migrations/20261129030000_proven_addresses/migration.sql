ALTER TABLE "user"
  ADD COLUMN "address_proven_at" TIMESTAMPTZ(6),
  ADD COLUMN "mailed_digest" BYTEA,
  ADD COLUMN "is_by_operator" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "invitation" ADD COLUMN "mailed_digest" BYTEA;
ALTER TABLE "identity" ADD COLUMN "email" TEXT;

-- An address counts as proven where the tables show that a link was used, or that a provider has vouched for it. An account
-- without a password was joined with its provider by the address; one with a password may be connected with a person of any
-- address, which shows nothing.
UPDATE "user" u SET "address_proven_at" = now() FROM "audit_entry" e
WHERE e."actor_type" = 'user' AND e."actor_label" = u."email" AND e."action" IN ('member.accepted', 'member.password_reset');
UPDATE "user" u SET "address_proven_at" = i."created_at" FROM "identity" i
WHERE i."user_id" = u."id" AND u."password_hash" IS NULL AND u."address_proven_at" IS NULL;

-- The first owner of a workspace that no person created: the bootstrap or posthorn-admin made the account in the transaction
-- of its workspace.
UPDATE "user" u SET "is_by_operator" = true FROM "member" m JOIN "workspace" w ON w."id" = m."workspace_id"
WHERE m."user_id" = u."id" AND m."role" = 'owner' AND w."created_by" IS NULL 
  AND abs(extract(epoch FROM u."created_at" - w."created_at")) < 10
  AND u."address_proven_at" IS NULL AND u."password_hash" IS NOT NULL;
