-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "pull_leased_until" TIMESTAMPTZ(6);

-- By hand: what Prisma's schema cannot say.

-- The end of a consumer's lease, once more: an index that names `leased_until` would make each claim of a dispatcher write the
-- row into every index. Statements write both columns of a fetched delivery. The trigger does it for those that write one: of
-- an earlier version, and those that rarely meet a lease. Not before the update, because a trigger there locks each row first.
UPDATE "delivery" SET "pull_leased_until" = "leased_until" WHERE "is_pulled" AND "leased_until" IS NOT NULL;

CREATE FUNCTION "follow_pull_lease"() RETURNS trigger LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  UPDATE "delivery" d SET "pull_leased_until" = d."leased_until" WHERE d."id" = NEW."id";
  RETURN NULL;
END
$$;
CREATE TRIGGER "delivery_pull_lease" AFTER INSERT OR UPDATE ON "delivery" FOR EACH ROW
  WHEN (NEW."is_pulled" AND NEW."pull_leased_until" IS DISTINCT FROM NEW."leased_until")
  EXECUTE FUNCTION "follow_pull_lease"();
