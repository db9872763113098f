-- AlterTable
ALTER TABLE "event_type" ADD COLUMN     "search_keys" JSON;

-- AlterTable
ALTER TABLE "event" ADD COLUMN     "search_left_out" SMALLINT;

-- CreateTable
CREATE TABLE "workspace_search_key" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "replaced_at" TIMESTAMPTZ(6),

    CONSTRAINT "workspace_search_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_token" (
    "token" BIGINT NOT NULL,
    "event_id" UUID NOT NULL,

    CONSTRAINT "event_token_pkey" PRIMARY KEY ("token","event_id")
) PARTITION BY RANGE ("event_id");

-- CreateIndex
CREATE INDEX "workspace_search_key_workspace_id_idx" ON "workspace_search_key"("workspace_id");

-- CreateIndex
CREATE INDEX "event_token_event_id_idx" ON "event_token"("event_id");

-- By hand: what Prisma's schema cannot say. `event_token` is PARTITION BY RANGE, too.

-- Two statements of one moment would otherwise give a workspace two keys.
CREATE UNIQUE INDEX "workspace_search_key_current_key" ON "workspace_search_key" ("workspace_id") WHERE "replaced_at" IS NULL;

-- The tokens of an event go with its payload. A trigger, because a process of the previous version erases payloads, too, and
-- because it sees the tokens that another transaction wrote while this one waited for the row of the event.
CREATE FUNCTION "forget_tokens"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "workspace_search_key" WHERE "workspace_id" = OLD."workspace_id") THEN
    DELETE FROM "event_token" WHERE "event_id" = OLD."id";
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "event_tokens" AFTER UPDATE OF "payload" ON "event" FOR EACH ROW
  WHEN (NEW."payload" IS NULL AND OLD."payload" IS NOT NULL) EXECUTE FUNCTION "forget_tokens"();
