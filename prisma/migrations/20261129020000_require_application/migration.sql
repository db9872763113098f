ALTER TABLE "environment" ADD COLUMN "require_application" BOOLEAN NOT NULL DEFAULT false;
