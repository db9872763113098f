-- AlterTable
ALTER TABLE "endpoint" ADD COLUMN     "is_pulled" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "is_pulled" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "pull_key" (
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "preview" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    "last_used_at" TIMESTAMPTZ(6),
    "expires_at" TIMESTAMPTZ(6),

    CONSTRAINT "pull_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pull_state" (
    "endpoint_id" UUID NOT NULL,
    "last_lease_at" TIMESTAMPTZ(6),
    "idle_raised_at" TIMESTAMPTZ(6),

    CONSTRAINT "pull_state_pkey" PRIMARY KEY ("endpoint_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "pull_key_digest_key" ON "pull_key"("digest");

-- CreateIndex
CREATE INDEX "pull_key_endpoint_id_idx" ON "pull_key"("endpoint_id");

-- AddForeignKey
ALTER TABLE "pull_key" ADD CONSTRAINT "pull_key_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "endpoint"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pull_state" ADD CONSTRAINT "pull_state_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "endpoint"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what Prisma's schema cannot say.

-- A delivery that a consumer fetches waits where no claim and no reconciler reads it: its due time is moved by 5,000 years, as
-- in a line, and the index of lines has the deliveries of an endpoint in the order in which they are leased (docs/adr/0016).
CREATE FUNCTION "due_of"(at TIMESTAMPTZ, pulled BOOLEAN) RETURNS TIMESTAMPTZ LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN pulled AND at < '7000-01-01 00:00:00+00'::timestamptz THEN at + interval '1826250 days' ELSE at END
$$;

-- Leases that have ended.
CREATE INDEX "delivery_pull_lease_idx" ON "delivery" ("leased_until") WHERE "is_pulled" AND "leased_until" IS NOT NULL;

-- Active endpoints that a warning may be due for.
CREATE INDEX "endpoint_pulled_idx" ON "endpoint" ("id") WHERE "is_pulled" AND "is_active" AND "deleted_at" IS NULL;

-- When such an endpoint is deactivated or deleted, its line gets a turn, which ends what waits.
CREATE OR REPLACE FUNCTION "hurry_line"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "endpoint_line" SET "next_at" = now(), "changes" = "changes" + 1 WHERE "endpoint_id" = NEW."id";
  IF NOT FOUND AND NEW."is_pulled" AND (NOT NEW."is_active" OR NEW."deleted_at" IS NOT NULL) THEN
    INSERT INTO "endpoint_line" ("endpoint_id", "workspace_id", "next_at") VALUES (NEW."id", NEW."workspace_id", now())
    ON CONFLICT ("endpoint_id") DO UPDATE SET "next_at" = now(), "changes" = "endpoint_line"."changes" + 1;
  END IF;
  RETURN NULL;
END
$$;

-- The functions of the order, as before, with the due time of what is fetched. Such a head gets no job, so it has no generation
-- under which it would be enqueued.
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
    UPDATE "delivery" d SET "due_at" = "due_of"(now(), d."is_pulled"), "generation" = d."generation" + 1, "updated_at" = now()
    WHERE d."id" = next_one."delivery_id" AND d."due_at" = "end_of_time"() RETURNING CASE WHEN NOT d."is_pulled" THEN d."generation" END INTO released;
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

CREATE OR REPLACE FUNCTION "release_followers"() RETURNS trigger LANGUAGE plpgsql VOLATILE
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
    UPDATE "delivery" d SET "due_at" = "due_of"(now(), d."is_pulled"), "generation" = d."generation" + 1, "updated_at" = now()
    WHERE d."id" = ANY(ids) AND d."id" BETWEEN lowest AND highest AND d."due_at" = "end_of_time"()
    RETURNING d."id", d."endpoint_id", d."ordering_key", d."ordering_number",
      CASE WHEN NOT d."is_pulled" THEN d."generation" END AS "generation"
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
        NEW."due_at" := "due_of"(now(), NEW."is_pulled");
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

CREATE OR REPLACE FUNCTION "follow_head"() RETURNS trigger LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  waits BOOLEAN := NEW."ordering_key" IS NOT NULL AND NEW."due_at" IS NOT NULL;
  was_open BOOLEAN := OLD."ordering_key" IS NOT NULL AND OLD."due_at" IS NOT NULL;
  place BIGINT;
BEGIN
  IF waits THEN
    IF NOT (SELECT p."is_fifo" FROM "endpoint" p WHERE p."id" = NEW."endpoint_id") THEN
      UPDATE "delivery" d SET "ordering_key" = NULL, "due_at" = "due_of"(now(), d."is_pulled") WHERE d."id" = NEW."id";
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

-- The role of running services has its rights on "delivery"; the new tables follow.
DO $$
DECLARE
  held RECORD;
BEGIN
  FOR held IN SELECT DISTINCT grantee FROM information_schema.role_table_grants
    WHERE table_schema = 'public' AND table_name = 'delivery' AND privilege_type = 'UPDATE' AND grantee <> current_user
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON "pull_key", "pull_state" TO %I', held.grantee);
  END LOOP;
END
$$;
