ALTER TABLE "idempotent_answer" ADD COLUMN     "application_ids" UUID[] NOT NULL DEFAULT '{}';
