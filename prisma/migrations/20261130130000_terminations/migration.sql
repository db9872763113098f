-- What callbacks are told when their subscription ends before its expiry. It has the secrets that were live: what deleted
-- endpoints have left is deleted within seconds.
CREATE TABLE "outgoing_termination" (
    "endpoint_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "secret_ids" UUID[] NOT NULL,
    "secrets" BYTEA[] NOT NULL,
    "due_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "claim" UUID,
    "claimed_until" TIMESTAMPTZ(6),

    CONSTRAINT "outgoing_termination_pkey" PRIMARY KEY ("endpoint_id")
);
CREATE INDEX "outgoing_termination_workspace_id_due_at_idx" ON "outgoing_termination"("workspace_id", "due_at");
ALTER TABLE "outgoing_termination" ADD CONSTRAINT "outgoing_termination_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "agent_subscription"("endpoint_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what Prisma's schema cannot say.
CREATE INDEX "outgoing_termination_claimed_idx" ON "outgoing_termination" ("claimed_until") WHERE "claimed_until" IS NOT NULL;
INSERT INTO "turn" ("lane") VALUES ('outgoing_termination');
