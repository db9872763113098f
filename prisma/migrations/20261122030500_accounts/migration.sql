-- A membership begins when it is accepted; until then it is a row of "invitation". Memberships that stand already are
-- accepted ones and stay as they are.

CREATE TABLE "invitation" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "digest" BYTEA,
    "token_ends_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "invitation_digest_key" ON "invitation"("digest");
CREATE INDEX "invitation_email_idx" ON "invitation"("email");
CREATE UNIQUE INDEX "invitation_workspace_id_email_key" ON "invitation"("workspace_id", "email");
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "password_try" (
    "account" BYTEA NOT NULL,
    "failed_at" TIMESTAMPTZ(6)[],
    "tried_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "password_try_pkey" PRIMARY KEY ("account")
);
CREATE INDEX "password_try_tried_at_idx" ON "password_try"("tried_at");

ALTER TABLE "management_token" ADD COLUMN "created_by" UUID;
ALTER TABLE "audit_entry" ADD COLUMN "environment_id" UUID;

-- By hand: what Prisma's schema cannot say.

-- An earlier release gave a first password's token to the workspace that first named an address, and it opened every
-- workspace that named the address later. Such a token stays good only where one workspace alone ever named it, and the
-- person is its member still.
UPDATE "user" u SET "set_password_digest" = NULL, "set_password_token_ends_at" = NULL
WHERE u."set_password_digest" IS NOT NULL AND (
  NOT EXISTS (SELECT 1 FROM "member" m WHERE m."user_id" = u."id")
  OR 1 < (
    SELECT count(*) FROM (
      SELECT m."workspace_id" FROM "member" m WHERE m."user_id" = u."id"
      UNION
      SELECT e."workspace_id" FROM "audit_entry" e
      WHERE e."action" = 'member.created' AND e."metadata" #>> '{changes,email,to}' = u."email"
    ) named
  )
);

-- The audit log knows the makers of tokens that stand already, by the public forms of their ids (TypeIDs).
CREATE FUNCTION pg_temp."uuid_of"(public_id TEXT) RETURNS UUID LANGUAGE plpgsql AS $$
DECLARE
  suffix TEXT := right(public_id, 26);
  bits TEXT := '';
  hex TEXT := '';
BEGIN
  FOR i IN 1..26 LOOP
    bits := bits || (strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(suffix, i, 1)) - 1)::bit(5)::text;
  END LOOP;
  -- 26 characters hold 130 bits, of which the first two are none of the UUID's.
  FOR i IN 0..31 LOOP
    hex := hex || to_hex(substr(bits, 3 + i * 4, 4)::bit(4)::int);
  END LOOP;
  RETURN hex::uuid;
END
$$;
UPDATE "management_token" t SET "created_by" = pg_temp."uuid_of"(e."actor_id")
FROM "audit_entry" e
WHERE e."action" = 'management_token.created' AND e."actor_type" = 'user' AND e."workspace_id" = t."workspace_id"
  AND pg_temp."uuid_of"(e."resource_id") = t."id";
DROP FUNCTION pg_temp."uuid_of";

-- The environment counts for the hash where there is one; what was chained before has none.
CREATE OR REPLACE FUNCTION "audit_entry_hash"(entry "audit_entry", previous BYTEA) RETURNS BYTEA LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(previous || convert_to(json_build_array(
    entry.sequence, entry.id, entry.workspace_id, entry.application_id, entry.actor_type, entry.actor_id,
    entry.actor_label, entry.visibility, entry.action, entry.resource_type, entry.resource_id, entry.metadata::text,
    extract(epoch from entry.created_at))::text || coalesce(entry.environment_id::text, ''), 'UTF8'))
$$;
