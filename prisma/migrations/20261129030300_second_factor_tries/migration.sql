-- Wrong second factors count for a day.
ALTER TABLE "password_try" ADD COLUMN "kept_until" TIMESTAMPTZ(6);
