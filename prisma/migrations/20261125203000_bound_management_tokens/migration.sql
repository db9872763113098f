-- AlterTable
ALTER TABLE "management_token" ADD COLUMN     "allowed_networks" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "environment_ids" UUID[] DEFAULT ARRAY[]::UUID[];
