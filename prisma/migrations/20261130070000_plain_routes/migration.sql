-- By hand: what Prisma's schema cannot say.

-- Whether the deliveries to an endpoint wait for a limit or for a consumer is a part of a route, too: where events are accepted,
-- such a route is left to fan-out (docs/adr/0021). So a change of it renews the routing revision. An earlier version reads its
-- routes anew, and finds them unchanged.
CREATE OR REPLACE FUNCTION "endpoint_activity_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "raise_routing_version"(ARRAY(
    SELECT DISTINCT n."environment_id" FROM "after" n JOIN "before" o ON o."id" = n."id"
    WHERE n."is_active" <> o."is_active" OR n."deleted_at" IS DISTINCT FROM o."deleted_at"
      OR n."is_limited" <> o."is_limited" OR n."is_pulled" <> o."is_pulled"));
  RETURN NULL;
END
$$;
