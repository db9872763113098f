-- What an endpoint's own transformation cancelled has not failed: it raises no operational event.
CREATE OR REPLACE TRIGGER "delivery_operational_event" AFTER UPDATE ON "delivery" FOR EACH ROW
  WHEN (NEW."status" IN ('failed', 'dead_letter') AND OLD."status" <> NEW."status" AND NOT NEW."is_test"
    AND NEW."failure_reason" IS DISTINCT FROM 'cancelled_by_transformation'
    AND (NEW."event_type" IS NULL OR NEW."event_type" NOT LIKE 'posthorn.%'))
  EXECUTE FUNCTION "raise_delivery_event"();
