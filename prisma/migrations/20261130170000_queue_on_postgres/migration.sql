-- What processes share when there is no Redis. Only packages/queue/src/postgres reads and writes these tables, so Prisma's
-- schema does not name them. All but one are unlogged: a crash or a failover of Postgres empties them, and nothing in them is
-- a source of truth. They need no WAL.

-- The processes. Each writes its row every second, and is gone after 5 s of silence.
CREATE UNLOGGED TABLE "worker" (
  "id" uuid PRIMARY KEY,
  "role" text NOT NULL,
  -- `redis` or `postgres`: where its queues are.
  "queue" text NOT NULL,
  "version" text NOT NULL,
  -- It hears messages of the bus.
  "has_bus" boolean NOT NULL DEFAULT false,
  "slot_count" int NOT NULL DEFAULT 0,
  "free_slots" int NOT NULL DEFAULT 0,
  -- The endpoints that are slow in this process, and the milliseconds in which a slot of theirs becomes free.
  "slow_endpoints" jsonb NOT NULL DEFAULT '{}',
  "started_at" timestamptz NOT NULL DEFAULT now(),
  "seen_at" timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

-- Work that one process at a time does for all.
CREATE UNLOGGED TABLE "queue_turn" (
  "name" text PRIMARY KEY,
  "holder" uuid NOT NULL,
  "until" timestamptz NOT NULL
) WITH (fillfactor = 50);

-- The limits of endpoints. The row with the rate '' has the mark of the line; '100/1' is a rate.
CREATE UNLOGGED TABLE "rate_state" (
  "endpoint_id" uuid NOT NULL,
  "rate" text NOT NULL,
  "used_until" timestamptz,
  "told_late_ms" real,
  "late_until" timestamptz,
  "line_until" timestamptz,
  PRIMARY KEY ("endpoint_id", "rate")
) WITH (fillfactor = 50);

-- Places that a holder has for a time: of `maxConcurrency`, of probes, of live streams, and who listens or waits.
CREATE UNLOGGED TABLE "held" (
  "kind" smallint NOT NULL,
  "subject" uuid NOT NULL,
  "holder" uuid NOT NULL,
  "until" timestamptz NOT NULL,
  PRIMARY KEY ("kind", "subject", "holder")
) WITH (fillfactor = 50);

-- Tests and examinations that a request waits for. A reply is sealed.
CREATE UNLOGGED TABLE "probe" (
  "id" uuid PRIMARY KEY,
  "task" json NOT NULL,
  "owner_rank" int NOT NULL,
  "reply_to" uuid NOT NULL,
  "begins_by" timestamptz NOT NULL,
  "ends_by" timestamptz NOT NULL,
  "taken_by" uuid,
  "ended_at" timestamptz,
  "reply" bytea
) WITH (fillfactor = 50);
CREATE INDEX "probe_waiting_idx" ON "probe" ("owner_rank", "begins_by") WHERE "taken_by" IS NULL;

-- The queues that an operator has paused.
CREATE TABLE "paused_queue" (
  "queue" text PRIMARY KEY,
  "paused_at" timestamptz NOT NULL DEFAULT now()
);
