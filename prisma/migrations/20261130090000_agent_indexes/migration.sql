-- By hand: what Prisma's schema cannot say. Each question about the subscriptions of agents reads the rows of its answer: those of
-- other tenants are never among them, and those that ended within a week only where they are asked for.

-- Whether a callback passed a challenge of a principal: a URL may be too long for an index.
CREATE INDEX "agent_subscription_callback_idx" ON "agent_subscription" ("environment_id", "principal", hashtextextended("url", 0));
-- What is shown of one identity, after its end, too.
CREATE INDEX "agent_subscription_every_identity_idx" ON "agent_subscription" ("identity");
-- The live ones of a type.
CREATE INDEX "agent_subscription_event_type_idx" ON "agent_subscription" ("event_type_id") WHERE "ended_at" IS NULL;
-- The numbers of live ones.
CREATE INDEX "agent_subscription_workspace_live_idx" ON "agent_subscription" ("workspace_id", "expires_at") WHERE "ended_at" IS NULL;
CREATE INDEX "agent_subscription_application_live_idx" ON "agent_subscription" ("application_id", "expires_at") WHERE "ended_at" IS NULL;

-- An end deletes the endpoint, too. An earlier version deleted it a week later.
UPDATE "endpoint" p SET "deleted_at" = a."ended_at" FROM "agent_subscription" a
WHERE a."endpoint_id" = p."id" AND a."ended_at" IS NOT NULL AND p."deleted_at" IS NULL;
