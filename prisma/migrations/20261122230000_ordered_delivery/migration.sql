-- CreateTable
CREATE TABLE "ordered_delivery" (
    "endpoint_id" UUID NOT NULL,
    "ordering_key" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "delivery_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "released_generation" INTEGER,

    CONSTRAINT "ordered_delivery_pkey" PRIMARY KEY ("endpoint_id","ordering_key","position","delivery_id")
);

-- By hand: what Prisma's schema cannot say.

-- The open deliveries with an ordering key (docs/adr/0009): the head of an endpoint and key at position 0, those that wait
-- behind it at their ordering numbers. The triggers on "delivery" keep it, in the statement that changes the delivery,
-- also for dispatchers of an earlier version. One probe of its primary key finds the head or the next one, where an index
-- of "delivery" costs a probe of each daily partition.
ALTER TABLE "ordered_delivery" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- The role of running services has its rights on "delivery"; the triggers that it fires write here.
DO $$
DECLARE
  held RECORD;
BEGIN
  FOR held IN SELECT DISTINCT grantee FROM information_schema.role_table_grants
    WHERE table_schema = 'public' AND table_name = 'delivery' AND privilege_type = 'UPDATE' AND grantee <> current_user
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON "ordered_delivery" TO %I', held.grantee);
  END LOOP;
END
$$;

-- "delivery" does not change until the new triggers keep the table. The index makes the read short; the drop of the index,
-- at the end, needs this lock.
LOCK TABLE "delivery" IN ACCESS EXCLUSIVE MODE;
SELECT set_config('enable_seqscan', 'off', true);

INSERT INTO "ordered_delivery" ("endpoint_id", "ordering_key", "position", "delivery_id", "event_id", "workspace_id")
SELECT d."endpoint_id", d."ordering_key",
  CASE WHEN d."due_at" < "end_of_time"() THEN 0 ELSE coalesce(d."ordering_number", 9223372036854775807) END,
  d."id", d."event_id", d."workspace_id"
FROM "delivery" d WHERE d."due_at" IS NOT NULL AND d."ordering_key" IS NOT NULL;

-- The functions below read by the primary key whatever the statistics say: the table is empty at most times, and a plan
-- that was made then would scan it when it is not. Their plans are kept: one that is made anew costs more than its run.
-- Locks are taken in one order: of the endpoint and key, of the delivery, of its row here.

-- Makes the first waiting delivery due, if there is no head. VOLATILE, so that each statement sees what was committed
-- before it began.
CREATE OR REPLACE FUNCTION "release_next_delivery"(endpoint UUID, key TEXT) RETURNS UUID LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  next_one RECORD;
  released INTEGER;
BEGIN
  PERFORM pg_advisory_xact_lock("ordering_lock"(endpoint, key));
  LOOP
    SELECT o."delivery_id", o."position" INTO next_one FROM "ordered_delivery" o
    WHERE o."endpoint_id" = endpoint AND o."ordering_key" = key ORDER BY o."position", o."delivery_id" LIMIT 1;
    IF NOT FOUND OR next_one."position" = 0 THEN
      RETURN NULL;
    END IF;
    UPDATE "delivery" d SET "due_at" = now(), "generation" = d."generation" + 1, "updated_at" = now()
    WHERE d."id" = next_one."delivery_id" AND d."due_at" = "end_of_time"() RETURNING d."generation" INTO released;
    IF FOUND THEN
      UPDATE "ordered_delivery" o SET "position" = 0, "released_generation" = released
      WHERE o."endpoint_id" = endpoint AND o."ordering_key" = key AND o."position" = next_one."position"
        AND o."delivery_id" = next_one."delivery_id";
      RETURN next_one."delivery_id";
    END IF;
    -- It was cancelled while the update waited for it, or had ended before a repeated insert.
    DELETE FROM "ordered_delivery" o WHERE o."endpoint_id" = endpoint AND o."ordering_key" = key
      AND o."position" = next_one."position" AND o."delivery_id" = next_one."delivery_id";
  END LOOP;
END
$$;

-- Heads whose rows are deleted are followed by the next ones, all in one statement: each statement on "delivery" costs
-- its partitions once.
CREATE FUNCTION "release_followers"() RETURNS trigger LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  ids UUID[];
  lowest UUID;
  highest UUID;
  released INTEGER;
BEGIN
  PERFORM pg_advisory_xact_lock(l."lock") FROM (
    SELECT DISTINCT "ordering_lock"(g."endpoint_id", g."ordering_key") AS "lock" FROM gone g
    WHERE g."position" = 0 ORDER BY 1) l;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(n."delivery_id"), min(n."delivery_id"::text)::uuid, max(n."delivery_id"::text)::uuid
  INTO ids, lowest, highest
  FROM (SELECT DISTINCT g."endpoint_id", g."ordering_key" FROM gone g WHERE g."position" = 0) g
  CROSS JOIN LATERAL (SELECT o."delivery_id", o."position" FROM "ordered_delivery" o
    WHERE o."endpoint_id" = g."endpoint_id" AND o."ordering_key" = g."ordering_key"
    ORDER BY o."position", o."delivery_id" LIMIT 1) n
  WHERE n."position" > 0;
  IF ids IS NULL THEN
    RETURN NULL;
  END IF;
  WITH released AS (
    UPDATE "delivery" d SET "due_at" = now(), "generation" = d."generation" + 1, "updated_at" = now()
    WHERE d."id" = ANY(ids) AND d."id" BETWEEN lowest AND highest AND d."due_at" = "end_of_time"()
    RETURNING d."id", d."endpoint_id", d."ordering_key", d."ordering_number", d."generation"
  )
  UPDATE "ordered_delivery" o SET "position" = 0, "released_generation" = r."generation" FROM released r
  WHERE o."endpoint_id" = r."endpoint_id" AND o."ordering_key" = r."ordering_key"
    AND o."position" = coalesce(r."ordering_number", 9223372036854775807) AND o."delivery_id" = r."id";
  GET DIAGNOSTICS released = ROW_COUNT;
  IF released < cardinality(ids) THEN
    -- One was cancelled while the update waited for it: then the one after it follows.
    PERFORM "release_next_delivery"(g."endpoint_id", g."ordering_key")
    FROM (SELECT DISTINCT "endpoint_id", "ordering_key" FROM gone WHERE "position" = 0) g;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "ordered_delivery_gone" AFTER DELETE ON "ordered_delivery" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION "release_followers"();

-- For a statement that ends several heads: deletes their rows at once, and returns the deliveries that follow them.
CREATE FUNCTION "leave_orders"(endpoints UUID[], keys TEXT[], deliveries UUID[]) RETURNS SETOF "ordered_delivery"
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF endpoints IS NULL THEN
    RETURN;
  END IF;
  DELETE FROM "ordered_delivery" o USING unnest(endpoints, keys, deliveries) AS e("endpoint_id", "ordering_key", "id")
  WHERE o."endpoint_id" = e."endpoint_id" AND o."ordering_key" = e."ordering_key" AND o."position" = 0
    AND o."delivery_id" = e."id";
  RETURN QUERY SELECT o.* FROM (SELECT DISTINCT * FROM unnest(endpoints, keys)) AS e("endpoint_id", "ordering_key")
    JOIN "ordered_delivery" o ON o."endpoint_id" = e."endpoint_id" AND o."ordering_key" = e."ordering_key"
      AND o."position" = 0 AND o."released_generation" IS NOT NULL;
END
$$;

-- A new delivery is the head, or waits if its key has one. BEFORE, so that a head may be claimed at its creation.
CREATE OR REPLACE FUNCTION "hold_behind_head"() RETURNS trigger LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  head UUID;
BEGIN
  PERFORM pg_advisory_xact_lock("ordering_lock"(NEW."endpoint_id", NEW."ordering_key"));
  SELECT o."delivery_id" INTO head FROM "ordered_delivery" o
  WHERE o."endpoint_id" = NEW."endpoint_id" AND o."ordering_key" = NEW."ordering_key"
  ORDER BY o."position", o."delivery_id" LIMIT 1;
  IF NOT FOUND THEN
    -- A repeated insert, which changes nothing, must leave no head that never ends.
    IF NOT EXISTS (SELECT FROM "delivery" d WHERE d."id" = NEW."id") THEN
      INSERT INTO "ordered_delivery" VALUES
        (NEW."endpoint_id", NEW."ordering_key", 0, NEW."id", NEW."event_id", NEW."workspace_id");
      IF NEW."due_at" = "end_of_time"() THEN
        NEW."due_at" := now();
      END IF;
    END IF;
    RETURN NEW;
  END IF;
  IF head <> NEW."id" THEN
    INSERT INTO "ordered_delivery" VALUES (NEW."endpoint_id", NEW."ordering_key",
      coalesce(NEW."ordering_number", 9223372036854775807), NEW."id", NEW."event_id", NEW."workspace_id")
    ON CONFLICT DO NOTHING;
  END IF;
  NEW."status" := 'pending';
  NEW."due_at" := "end_of_time"();
  NEW."lease_token" := NULL;
  NEW."leased_until" := NULL;
  RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER "delivery_behind_head" BEFORE INSERT ON "delivery" FOR EACH ROW
  WHEN (NEW."ordering_key" IS NOT NULL AND NEW."due_at" IS NOT NULL) EXECUTE FUNCTION "hold_behind_head"();

-- A delivery that ended leaves its row, and one that begins to wait gets one. At an endpoint that is no longer fifo
-- nothing waits.
CREATE OR REPLACE FUNCTION "follow_head"() RETURNS trigger LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  waits BOOLEAN := NEW."ordering_key" IS NOT NULL AND NEW."due_at" IS NOT NULL;
  place BIGINT;
BEGIN
  IF waits THEN
    IF (SELECT p."is_fifo" FROM "endpoint" p WHERE p."id" = NEW."endpoint_id") THEN
      INSERT INTO "ordered_delivery" VALUES (NEW."endpoint_id", NEW."ordering_key",
        coalesce(NEW."ordering_number", 9223372036854775807), NEW."id", NEW."event_id", NEW."workspace_id")
      ON CONFLICT DO NOTHING;
    ELSE
      UPDATE "delivery" d SET "ordering_key" = NULL, "due_at" = now() WHERE d."id" = NEW."id";
    END IF;
  END IF;
  IF OLD."ordering_key" IS NOT NULL AND OLD."due_at" IS NOT NULL THEN
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

-- The states: 0 outside the order, 1 the head, 2 waits. AFTER and with a condition, so that other deliveries are neither
-- locked earlier nor cost a call. A release (2 to 1) fires nothing.
CREATE OR REPLACE TRIGGER "delivery_head_changed" AFTER UPDATE ON "delivery" FOR EACH ROW
  WHEN ((NEW."ordering_key" IS NOT NULL OR OLD."ordering_key" IS NOT NULL)
    AND (CASE WHEN NEW."ordering_key" IS NULL OR NEW."due_at" IS NULL THEN 0
      WHEN NEW."due_at" = '9999-12-31 00:00:00+00'::timestamptz THEN 2 ELSE 1 END) <> 1
    AND (CASE WHEN NEW."ordering_key" IS NULL OR NEW."due_at" IS NULL THEN 0
      WHEN NEW."due_at" = '9999-12-31 00:00:00+00'::timestamptz THEN 2 ELSE 1 END)
      <> (CASE WHEN OLD."ordering_key" IS NULL OR OLD."due_at" IS NULL THEN 0
        WHEN OLD."due_at" = '9999-12-31 00:00:00+00'::timestamptz THEN 2 ELSE 1 END))
  EXECUTE FUNCTION "follow_head"();

-- For the safety net: removes a head that is none, and releases the next one. Returns the delivery that was released.
CREATE FUNCTION "mend_order"(endpoint UUID, key TEXT) RETURNS UUID LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off AS $$
BEGIN
  PERFORM pg_advisory_xact_lock("ordering_lock"(endpoint, key));
  UPDATE "ordered_delivery" o SET "position" = coalesce(d."ordering_number", 9223372036854775807) FROM "delivery" d
  WHERE o."endpoint_id" = endpoint AND o."ordering_key" = key AND o."position" = 0
    AND d."id" = o."delivery_id" AND d."ordering_key" = key AND d."due_at" = "end_of_time"();
  DELETE FROM "ordered_delivery" o
  WHERE o."endpoint_id" = endpoint AND o."ordering_key" = key AND o."position" = 0
    AND NOT EXISTS (SELECT FROM "delivery" d
      WHERE d."id" = o."delivery_id" AND d."ordering_key" = key AND d."due_at" IS NOT NULL);
  -- The delete of a head has released the next one.
  PERFORM "release_next_delivery"(endpoint, key);
  RETURN (SELECT o."delivery_id" FROM "ordered_delivery" o
    WHERE o."endpoint_id" = endpoint AND o."ordering_key" = key AND o."position" = 0 LIMIT 1);
END
$$;

-- The table replaces it.
DROP INDEX "delivery_ordering_idx";
