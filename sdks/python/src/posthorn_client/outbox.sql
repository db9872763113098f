-- The table of the outbox: copy it into a migration of your own.
CREATE TABLE posthorn_outbox (
  -- Also the idempotency key: an event is accepted once, however often it is sent.
  id text PRIMARY KEY,
  -- The order of sending.
  position bigint GENERATED ALWAYS AS IDENTITY,
  event_type text NOT NULL,
  payload bytea NOT NULL,
  content_type text NOT NULL,
  -- application, orderingKey, deliverAt
  options jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Why Posthorn refused the event for good; null while it waits. Set it to null to send the event again.
  refused text
);

CREATE INDEX posthorn_outbox_waiting ON posthorn_outbox (position) WHERE refused IS NULL;
