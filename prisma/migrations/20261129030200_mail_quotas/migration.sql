-- Mails count for the owner of their workspace and for their address. A person stops implied alerts of a workspace.
ALTER TABLE "outgoing_mail"
  ADD COLUMN "owner_id" UUID,
  ADD COLUMN "address_digest" BYTEA;
UPDATE "outgoing_mail" m SET "owner_id" = coalesce(w."created_by", w."id") FROM "workspace" w WHERE w."id" = m."workspace_id";
CREATE INDEX "outgoing_mail_owner_id_created_at_idx" ON "outgoing_mail" ("owner_id", "created_at");
CREATE INDEX "outgoing_mail_address_digest_created_at_idx" ON "outgoing_mail" ("address_digest", "created_at");
ALTER TABLE "member" ADD COLUMN "alerts_stopped_at" TIMESTAMPTZ(6);
