-- A retry of several deliveries of an order inserts their rows into "ordered_delivery" itself, before the first trigger
-- runs: so the first by acceptance becomes the head, and not the first that the statement has changed. This function is
-- otherwise as in 20261122230000_ordered_delivery: it inserts no second row for a delivery that is the head by then.
CREATE OR REPLACE FUNCTION "follow_head"() RETURNS trigger LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  waits BOOLEAN := NEW."ordering_key" IS NOT NULL AND NEW."due_at" IS NOT NULL;
  was_open BOOLEAN := OLD."ordering_key" IS NOT NULL AND OLD."due_at" IS NOT NULL;
  place BIGINT;
BEGIN
  IF waits THEN
    IF NOT (SELECT p."is_fifo" FROM "endpoint" p WHERE p."id" = NEW."endpoint_id") THEN
      UPDATE "delivery" d SET "ordering_key" = NULL, "due_at" = now() WHERE d."id" = NEW."id";
    ELSIF was_open OR NOT EXISTS (SELECT FROM "ordered_delivery" o
      WHERE o."endpoint_id" = NEW."endpoint_id" AND o."ordering_key" = NEW."ordering_key" AND o."position" = 0
        AND o."delivery_id" = NEW."id")
    THEN
      INSERT INTO "ordered_delivery" VALUES (NEW."endpoint_id", NEW."ordering_key",
        coalesce(NEW."ordering_number", 9223372036854775807), NEW."id", NEW."event_id", NEW."workspace_id")
      ON CONFLICT DO NOTHING;
    END IF;
  END IF;
  IF was_open THEN
    place := CASE WHEN OLD."due_at" < "end_of_time"() THEN 0 ELSE coalesce(OLD."ordering_number", 9223372036854775807) END;
    -- A settle has deleted the rows of its heads already, and a probe is cheaper than a delete.
    IF EXISTS (SELECT FROM "ordered_delivery" o
      WHERE o."endpoint_id" = OLD."endpoint_id" AND o."ordering_key" = OLD."ordering_key" AND o."position" = place
        AND o."delivery_id" = OLD."id")
    THEN
      DELETE FROM "ordered_delivery" o
      WHERE o."endpoint_id" = OLD."endpoint_id" AND o."ordering_key" = OLD."ordering_key" AND o."position" = place
        AND o."delivery_id" = OLD."id";
    END IF;
  ELSIF waits THEN
    PERFORM "release_next_delivery"(NEW."endpoint_id", NEW."ordering_key");
  END IF;
  RETURN NULL;
END
$$;
