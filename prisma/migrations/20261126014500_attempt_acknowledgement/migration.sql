ALTER TABLE "attempt" ADD COLUMN "acknowledgement" JSON;
