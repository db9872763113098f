-- AlterTable
ALTER TABLE "endpoint" ADD COLUMN     "is_limited" BOOLEAN NOT NULL DEFAULT false;

-- By hand: what Prisma's schema cannot say.

-- Whether the config of an endpoint has a rate limit or a limit of concurrent requests: a delivery to it is never born leased
-- (docs/adr/0021). A trigger, because a process of an earlier version writes the config alone. The text of the config, because
-- `->` fails at a text with U+0000 or half of a pair of surrogates, which `json` keeps. Within a text, a backslash comes before
-- each quote, so only a name of the config matches.
CREATE FUNCTION "has_limits"(config JSON) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT config::text ~ '"(rateLimit|maxConcurrency)" *: *[^n ]'
$$;
UPDATE "endpoint" SET "is_limited" = true WHERE "has_limits"("config");

CREATE FUNCTION "note_limits"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."is_limited" := "has_limits"(NEW."config");
  RETURN NEW;
END
$$;
CREATE TRIGGER "endpoint_limits" BEFORE INSERT OR UPDATE OF "config" ON "endpoint" FOR EACH ROW EXECUTE FUNCTION "note_limits"();
