-- An audit entry's hash covers a salted digest of its personal values: the actor's label and the metadata. Erasing takes
-- the values and the salt away, and the chain still verifies. Entries from before have no digest and keep their hash.

ALTER TABLE "audit_entry" ADD COLUMN "personal_salt" BYTEA, ADD COLUMN "personal_digest" BYTEA;
-- The hash of the anchor is SHA-256 over these two, so that the anchor's position and time can be verified.
ALTER TABLE "audit_chain" ADD COLUMN "anchor_previous_hash" BYTEA, ADD COLUMN "anchor_input" TEXT;

-- An anchor from before cannot be verified. It is accepted only if an entry from before follows it, so each chain that
-- retention has emptied gets one.
INSERT INTO "audit_entry"
  ("id", "workspace_id", "actor_type", "actor_id", "actor_label", "action", "resource_type", "resource_id", "metadata")
SELECT gen_random_uuid(), "workspace_id", 'system', 'migration', 'Posthorn', 'audit_log.continued', 'audit_log', '',
  '{"changes":{},"ip":null,"userAgent":null,"requestId":null}'
FROM "audit_chain" WHERE "anchor_sequence" > 0 AND "anchor_sequence" = "sequence";

-- The id of the request, which is the last value of the metadata. No operator for JSON reads it, because each of them
-- refuses a text that has U+0000 anywhere.
CREATE FUNCTION "audit_request_id"(metadata JSON) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT substring(metadata::text from '"requestId" ?: ?"([^"]*)" ?[}]$')
$$;

-- The text that is hashed after the previous entry's hash.
CREATE FUNCTION "audit_entry_input"(entry "audit_entry") RETURNS TEXT LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN entry.personal_digest IS NULL
    THEN json_build_array(
      entry.sequence, entry.id, entry.workspace_id, entry.application_id, entry.actor_type, entry.actor_id,
      entry.actor_label, entry.visibility, entry.action, entry.resource_type, entry.resource_id, entry.metadata::text,
      extract(epoch from entry.created_at))::text || coalesce(entry.environment_id::text, '')
    ELSE json_build_array(
      '2', entry.sequence, entry.id, entry.workspace_id, entry.application_id, entry.environment_id, entry.actor_type,
      entry.actor_id, entry.visibility, entry.action, entry.resource_type, entry.resource_id,
      "audit_request_id"(entry.metadata), encode(entry.personal_digest, 'hex'), extract(epoch from entry.created_at))::text
  END
$$;

CREATE OR REPLACE FUNCTION "chain_audit_entry"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  head "audit_chain";
BEGIN
  INSERT INTO "audit_chain" VALUES (NEW.workspace_id, 0, '\x', 0, '\x') ON CONFLICT DO NOTHING;
  SELECT * INTO head FROM "audit_chain" WHERE workspace_id = NEW.workspace_id FOR UPDATE;
  NEW.sequence := head.sequence + 1;
  NEW.personal_salt := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  NEW.personal_digest :=
    sha256(NEW.personal_salt || convert_to(json_build_array(NEW.actor_label, NEW.metadata::text)::text, 'UTF8'));
  NEW.hash := sha256(head.hash || convert_to("audit_entry_input"(NEW), 'UTF8'));
  UPDATE "audit_chain" SET sequence = NEW.sequence, hash = NEW.hash WHERE workspace_id = NEW.workspace_id;
  RETURN NEW;
END
$$;
DROP FUNCTION "audit_entry_hash"("audit_entry", BYTEA);

-- The metadata of an entry whose personal values were erased.
CREATE FUNCTION "erased_audit_metadata"(metadata JSON) RETURNS JSON LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'changes', json_build_object(), 'ip', NULL, 'userAgent', NULL, 'requestId', "audit_request_id"(metadata))
$$;

-- The log is append-only. Only the personal values of an entry can be erased, all together.
CREATE OR REPLACE FUNCTION "refuse_audit_update"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  same "audit_entry" := NEW;
BEGIN
  same.actor_label := OLD.actor_label;
  same.metadata := OLD.metadata;
  same.personal_salt := OLD.personal_salt;
  IF OLD.personal_salt IS NOT NULL AND NEW.personal_salt IS NULL AND NEW.actor_label = ''
    AND NEW.metadata::text = "erased_audit_metadata"(OLD.metadata)::text
    AND same::text = OLD::text THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'audit entries are append-only';
END
$$;

-- The one way to erase personal values, for a role that may not update the log. Answers the number of erased entries.
CREATE FUNCTION "erase_audit_values"(ids UUID[]) RETURNS INTEGER LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  erased INTEGER;
BEGIN
  UPDATE "audit_entry" SET actor_label = '', metadata = "erased_audit_metadata"(metadata), personal_salt = NULL
  WHERE id = ANY (ids) AND personal_salt IS NOT NULL;
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END
$$;
REVOKE ALL ON FUNCTION "erase_audit_values"(UUID[]) FROM PUBLIC;
