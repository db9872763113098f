-- AlterTable
ALTER TABLE "source" ADD COLUMN     "is_trouble_told" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "troubled_since" TIMESTAMPTZ(6);

-- By hand: what Prisma's schema cannot say.

-- Tells a workspace that a source is in trouble, when the reader has marked it so (dispatcher/sources/leases.ts), or that it
-- is not any more. A source that stops again is told again.
CREATE FUNCTION "raise_source_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanted text := CASE WHEN NEW."is_trouble_told" THEN 'posthorn.source.failing' ELSE 'posthorn.source.recovered' END;
  told jsonb := jsonb_build_object('sourceId', NEW."id", 'name', NEW."name", 'environmentId', NEW."environment_id",
    'lagRecords', NEW."lag_records", 'failingSince', coalesce(NEW."troubled_since", OLD."troubled_since"));
BEGIN
  IF NEW."is_trouble_told" THEN
    told := told || jsonb_build_object('status', NEW."status", 'error', NEW."error");
  END IF;
  PERFORM "raise_alert"(NEW."workspace_id", NEW."environment_id", NULL, NULL, wanted, told::json);
  INSERT INTO "operational_event" ("workspace_id", "environment_id", "event_type", "facts")
  SELECT NEW."workspace_id", NEW."environment_id", t."name", told::json
  FROM "event_type" t
  JOIN "published_event_type" v ON v."event_type_id" = t."id" AND v."environment_id" = NEW."environment_id"
  WHERE t."workspace_id" = NEW."workspace_id" AND t."name" = wanted;
  RETURN NULL;
END
$$;
CREATE TRIGGER "source_event" AFTER UPDATE ON "source" FOR EACH ROW
  WHEN (OLD."is_trouble_told" IS DISTINCT FROM NEW."is_trouble_told"
    OR (NEW."is_trouble_told" AND NEW."status" = 'stopped' AND OLD."status" <> 'stopped'))
  EXECUTE FUNCTION "raise_source_event"();
