-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "portal_origins" TEXT[] NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "event_type" ADD COLUMN     "example" JSON;

-- AlterTable
ALTER TABLE "event" ADD COLUMN     "endpoint_id" UUID,
ADD COLUMN     "is_test" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "is_test" BOOLEAN NOT NULL DEFAULT false;
