-- Audit entries are chained by hash, workspace by workspace, so that one altered, removed or slipped in later is found.
-- A trigger does it, because every way of writing an entry must pass it.

CREATE TABLE "audit_chain" (
    "workspace_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "anchor_sequence" BIGINT NOT NULL DEFAULT 0,
    "anchor_hash" BYTEA NOT NULL,

    CONSTRAINT "audit_chain_pkey" PRIMARY KEY ("workspace_id")
);

ALTER TABLE "audit_entry" ADD COLUMN "sequence" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "hash" BYTEA NOT NULL DEFAULT '\x';

CREATE FUNCTION "audit_entry_hash"(entry "audit_entry", previous BYTEA) RETURNS BYTEA LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(previous || convert_to(json_build_array(
    entry.sequence, entry.id, entry.workspace_id, entry.application_id, entry.actor_type, entry.actor_id,
    entry.actor_label, entry.visibility, entry.action, entry.resource_type, entry.resource_id, entry.metadata::text,
    extract(epoch from entry.created_at))::text, 'UTF8'))
$$;

-- The head's row is held until the transaction ends: entries of one workspace come one after another.
CREATE FUNCTION "chain_audit_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  head "audit_chain";
BEGIN
  INSERT INTO "audit_chain" VALUES (NEW.workspace_id, 0, '\x', 0, '\x') ON CONFLICT DO NOTHING;
  SELECT * INTO head FROM "audit_chain" WHERE workspace_id = NEW.workspace_id FOR UPDATE;
  NEW.sequence := head.sequence + 1;
  NEW.hash := "audit_entry_hash"(NEW, head.hash);
  UPDATE "audit_chain" SET sequence = NEW.sequence, hash = NEW.hash WHERE workspace_id = NEW.workspace_id;
  RETURN NEW;
END
$$;
CREATE TRIGGER "audit_entry_chained" BEFORE INSERT ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION "chain_audit_entry"();

-- What stands already is chained in the order in which it was written.
ALTER TABLE "audit_entry" DISABLE TRIGGER "audit_entry_append_only";
DO $$
DECLARE
  entry "audit_entry";
  head "audit_chain";
BEGIN
  FOR entry IN SELECT * FROM "audit_entry" ORDER BY workspace_id, id LOOP
    INSERT INTO "audit_chain" VALUES (entry.workspace_id, 0, '\x', 0, '\x') ON CONFLICT DO NOTHING;
    SELECT * INTO head FROM "audit_chain" WHERE workspace_id = entry.workspace_id;
    entry.sequence := head.sequence + 1;
    entry.hash := "audit_entry_hash"(entry, head.hash);
    UPDATE "audit_entry" SET sequence = entry.sequence, hash = entry.hash WHERE id = entry.id;
    UPDATE "audit_chain" SET sequence = entry.sequence, hash = entry.hash WHERE workspace_id = entry.workspace_id;
  END LOOP;
END
$$;
ALTER TABLE "audit_entry" ENABLE TRIGGER "audit_entry_append_only";
CREATE UNIQUE INDEX "audit_entry_workspace_id_sequence_key" ON "audit_entry" ("workspace_id", "sequence");

-- Nothing goes before its retention of 365 days, and then only from the chain's old end.
CREATE FUNCTION "refuse_early_audit_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.created_at > now() - interval '365 days' THEN
    RAISE EXCEPTION 'audit entries are kept for 365 days';
  END IF;
  RETURN OLD;
END
$$;
CREATE TRIGGER "audit_entry_kept" BEFORE DELETE ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION "refuse_early_audit_delete"();

CREATE FUNCTION "refuse_audit_truncate"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are append-only';
END
$$;
CREATE TRIGGER "audit_entry_not_truncated" BEFORE TRUNCATE ON "audit_entry" EXECUTE FUNCTION "refuse_audit_truncate"();
