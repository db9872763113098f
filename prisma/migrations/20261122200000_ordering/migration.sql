-- AlterTable
ALTER TABLE "endpoint" ADD COLUMN     "is_fifo" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "order_ended_at" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "event" ADD COLUMN     "deliver_at" TIMESTAMPTZ(3),
ADD COLUMN     "ordering_key" TEXT,
ADD COLUMN     "ordering_number" BIGINT;

-- AlterTable
ALTER TABLE "pending_fan_out" ADD COLUMN     "environment_id" UUID,
ADD COLUMN     "ordering_key" TEXT,
ADD COLUMN     "ordering_number" BIGINT;

-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "ordering_key" TEXT,
ADD COLUMN     "ordering_number" BIGINT;

-- CreateTable
CREATE TABLE "scheduled_event" (
    "event_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "deliver_at" TIMESTAMPTZ(3) NOT NULL,
    "ordering_key" TEXT,

    CONSTRAINT "scheduled_event_pkey" PRIMARY KEY ("event_id")
);

-- CreateIndex
CREATE INDEX "scheduled_event_deliver_at_idx" ON "scheduled_event"("deliver_at");

-- CreateIndex
CREATE INDEX "scheduled_event_environment_id_deliver_at_event_id_idx" ON "scheduled_event"("environment_id", "deliver_at", "event_id");

-- By hand: what Prisma's schema cannot say.

-- The order of events with an ordering key. A number is given in the statement that commits the event, so an event whose
-- request began after the answer to another has a greater number, whatever the clocks of the processes say.
CREATE SEQUENCE "ordering_number";

CREATE INDEX "scheduled_event_ordering_idx" ON "scheduled_event" ("environment_id", "ordering_key", "deliver_at", "event_id") WHERE "ordering_key" IS NOT NULL;
CREATE INDEX "pending_fan_out_ordering_idx" ON "pending_fan_out" ("environment_id", "ordering_key", "ordering_number") WHERE "ordering_key" IS NOT NULL;
CREATE INDEX "endpoint_order_ended_idx" ON "endpoint" ("id") WHERE "order_ended_at" IS NOT NULL;

-- Order at a fifo endpoint (docs/adr/0009). Of the open deliveries of one endpoint and ordering key, one is the head: it
-- is due, or was due when it was claimed. The others wait: they are due at the end of time, so that no claim takes them
-- and no reconciler reads them. The rules below keep at most one head, and never none while a delivery waits.

CREATE FUNCTION "end_of_time"() RETURNS TIMESTAMPTZ LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT TIMESTAMPTZ '9999-12-31 00:00:00+00'
$$;

-- The lock that every change of a head takes. It is held until the transaction ends, and all that is read under it is
-- read after it was taken.
CREATE FUNCTION "ordering_lock"(endpoint UUID, key TEXT) RETURNS BIGINT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT hashtextextended(endpoint::text || ' ' || key, 0)
$$;

-- A key that no delivery of today has: with it, no statement reads the partitions that are made ahead.
CREATE FUNCTION "key_of_tomorrow"() RETURNS UUID LANGUAGE sql STABLE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM now() + interval '1 day') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Makes the first waiting delivery due, if there is no head. VOLATILE, so that each statement sees what was committed
-- before it began.
CREATE FUNCTION "release_next_delivery"(endpoint UUID, key TEXT) RETURNS UUID LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  tomorrow UUID := "key_of_tomorrow"();
  first_open UUID;
  first_due TIMESTAMPTZ;
BEGIN
  PERFORM pg_advisory_xact_lock("ordering_lock"(endpoint, key));
  LOOP
    -- One look-up finds the head, or else the first that waits: each one costs all partitions.
    SELECT d."id", d."due_at" INTO first_open, first_due FROM "delivery" d
    WHERE d."endpoint_id" = endpoint AND d."ordering_key" = key AND d."due_at" IS NOT NULL AND d."id" < tomorrow
    ORDER BY d."due_at", d."ordering_number" LIMIT 1;
    IF NOT FOUND OR first_due < "end_of_time"() THEN
      RETURN NULL;
    END IF;
    UPDATE "delivery" d SET "due_at" = now(), "generation" = d."generation" + 1, "updated_at" = now()
    WHERE d."id" = first_open AND d."due_at" = "end_of_time"();
    -- Not found: it was cancelled while the update waited for it.
    IF FOUND THEN
      RETURN first_open;
    END IF;
  END LOOP;
END
$$;

-- A new delivery waits if its key has a head. BEFORE, so that a head may be claimed at its creation.
CREATE FUNCTION "hold_behind_head"() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  tomorrow UUID := "key_of_tomorrow"();
BEGIN
  PERFORM pg_advisory_xact_lock("ordering_lock"(NEW."endpoint_id", NEW."ordering_key"));
  IF EXISTS (SELECT FROM "delivery" d
    WHERE d."endpoint_id" = NEW."endpoint_id" AND d."ordering_key" = NEW."ordering_key" AND d."due_at" IS NOT NULL
      AND d."id" < tomorrow)
  THEN
    NEW."status" := 'pending';
    NEW."due_at" := "end_of_time"();
    NEW."lease_token" := NULL;
    NEW."leased_until" := NULL;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "delivery_behind_head" BEFORE INSERT ON "delivery" FOR EACH ROW
  WHEN (NEW."ordering_key" IS NOT NULL) EXECUTE FUNCTION "hold_behind_head"();

-- A head that ended, or that waits again, is followed by the next; so is a delivery that begins to wait without a head.
-- At an endpoint that is no longer fifo nothing waits. AFTER and with a condition, so that other deliveries are neither
-- locked earlier nor cost a call.
CREATE FUNCTION "follow_head"() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF NEW."due_at" IS NOT NULL AND NOT (SELECT p."is_fifo" FROM "endpoint" p WHERE p."id" = NEW."endpoint_id") THEN
    UPDATE "delivery" d SET "ordering_key" = NULL, "due_at" = now() WHERE d."id" = NEW."id";
  END IF;
  PERFORM "release_next_delivery"(NEW."endpoint_id", NEW."ordering_key");
  RETURN NULL;
END
$$;
CREATE TRIGGER "delivery_head_changed" AFTER UPDATE ON "delivery" FOR EACH ROW
  WHEN (NEW."ordering_key" IS NOT NULL AND (NEW."due_at" IS NULL OR NEW."due_at" = '9999-12-31 00:00:00+00'::timestamptz)
    AND (OLD."ordering_key" IS NULL OR (OLD."due_at" IS DISTINCT FROM NEW."due_at"
      AND OLD."due_at" IS DISTINCT FROM '9999-12-31 00:00:00+00'::timestamptz)))
  EXECUTE FUNCTION "follow_head"();
