-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "leased_until" TIMESTAMPTZ(6);

-- By hand: what Prisma's schema cannot say.

-- A row that was being delivered held its lease's end in due_at.
UPDATE "delivery" SET "leased_until" = "due_at" WHERE "status" = 'delivering';

-- Between indexes that look equally good on a day's empty partition Postgres takes the one made last: be it the key.
ALTER TABLE "delivery" DROP CONSTRAINT "delivery_pkey";
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_pkey" PRIMARY KEY ("id");
