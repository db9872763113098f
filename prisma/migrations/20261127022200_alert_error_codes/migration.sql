-- The code is of the text in "last_error_coded". A process of the earlier version writes "last_error" alone, and so makes the code
-- count for nothing.
ALTER TABLE "alert_rule" ADD COLUMN     "last_error_code" TEXT,
ADD COLUMN     "last_error_coded" TEXT,
ADD COLUMN     "last_error_status" INTEGER;
