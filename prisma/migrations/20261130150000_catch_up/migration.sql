-- Paced sending after an outage of our own (docs/adr/0023-paced-after-our-outage.md). At most one row is open: `ended_at` is infinity.
CREATE TABLE "catch_up" (
  "ended_at" timestamptz(6) NOT NULL DEFAULT 'infinity',
  "since" timestamptz(6) NOT NULL,
  "until" timestamptz(6) NOT NULL,
  CONSTRAINT "catch_up_pkey" PRIMARY KEY ("ended_at")
);

CREATE TABLE "catch_up_endpoint" (
  "endpoint_id" uuid NOT NULL,
  "usual_per_second" double precision NOT NULL,
  "per_second" double precision NOT NULL,
  CONSTRAINT "catch_up_endpoint_pkey" PRIMARY KEY ("endpoint_id")
);
