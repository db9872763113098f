-- AlterTable: attempts that exist stay without a time, and Postgres rewrites nothing.
ALTER TABLE "attempt" ADD COLUMN     "settled_at" TIMESTAMPTZ(3);
ALTER TABLE "attempt" ALTER COLUMN "settled_at" SET DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "application_usage" (
    "workspace_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "events" BIGINT NOT NULL,
    "deliveries" BIGINT NOT NULL,
    "attempts" BIGINT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "application_usage_pkey" PRIMARY KEY ("workspace_id","application_id","day")
);

-- CreateTable
CREATE TABLE "usage_count" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "counted_to" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "usage_count_pkey" PRIMARY KEY ("id")
);

-- By hand: what Prisma's schema cannot say.

-- For the deletion after 13 months.
CREATE INDEX "application_usage_day_idx" ON "application_usage" ("day");

-- Only one row. Usage is counted from the upgrade on: earlier attempts have no time.
ALTER TABLE "usage_count" ADD CONSTRAINT "usage_count_id_check" CHECK ("id");
INSERT INTO "usage_count" ("counted_to") VALUES (now());
