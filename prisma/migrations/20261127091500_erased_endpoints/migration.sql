-- An earlier version leaves it empty, and erases all deliveries of the event.
ALTER TABLE "erased_event" ADD COLUMN     "endpoint_ids" UUID[] NOT NULL DEFAULT '{}';
