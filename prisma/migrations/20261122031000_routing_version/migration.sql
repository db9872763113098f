-- AlterTable
ALTER TABLE "environment" ADD COLUMN     "routing_version" INTEGER NOT NULL DEFAULT 0;

-- By hand: what Prisma's schema cannot say.

-- Every change that decides which endpoints an event goes to raises the version of its environment, in its own
-- transaction. Triggers, because a cascade or a deactivation by the system must not be forgotten. Environments are locked
-- in the order of their ids, so that two transactions cannot wait for each other.
CREATE FUNCTION "raise_routing_version"(environment_ids uuid[]) RETURNS void LANGUAGE sql AS $$
  UPDATE "environment" SET "routing_version" = "routing_version" + 1 WHERE "id" IN (
    SELECT "id" FROM "environment" WHERE "id" = ANY (environment_ids) ORDER BY "id" FOR NO KEY UPDATE)
$$;

CREATE FUNCTION "subscriptions_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "raise_routing_version"(ARRAY(
    SELECT DISTINCT p."environment_id" FROM "changed" c JOIN "endpoint" p ON p."id" = c."endpoint_id"));
  RETURN NULL;
END
$$;
CREATE TRIGGER "subscription_created" AFTER INSERT ON "subscription" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "subscriptions_changed"();
CREATE TRIGGER "subscription_updated" AFTER UPDATE ON "subscription" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "subscriptions_changed"();
CREATE TRIGGER "subscription_deleted" AFTER DELETE ON "subscription" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "subscriptions_changed"();

CREATE FUNCTION "publications_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "raise_routing_version"(ARRAY(SELECT DISTINCT "environment_id" FROM "changed"));
  RETURN NULL;
END
$$;
CREATE TRIGGER "publication_created" AFTER INSERT ON "published_event_type" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "publications_changed"();
CREATE TRIGGER "publication_deleted" AFTER DELETE ON "published_event_type" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "publications_changed"();

-- An endpoint that is made has no subscription yet. One that changes otherwise, in its url or its health, keeps its routes.
CREATE FUNCTION "endpoint_activity_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "raise_routing_version"(ARRAY(
    SELECT DISTINCT n."environment_id" FROM "after" n JOIN "before" o ON o."id" = n."id"
    WHERE n."is_active" <> o."is_active" OR n."deleted_at" IS DISTINCT FROM o."deleted_at"));
  RETURN NULL;
END
$$;
CREATE TRIGGER "endpoint_activity_changed" AFTER UPDATE ON "endpoint" REFERENCING OLD TABLE AS "before" NEW TABLE AS "after"
  FOR EACH STATEMENT EXECUTE FUNCTION "endpoint_activity_changed"();
CREATE TRIGGER "endpoint_deleted" AFTER DELETE ON "endpoint" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "publications_changed"();
