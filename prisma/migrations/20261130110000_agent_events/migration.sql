-- Tells a workspace that an agent has subscribed, and that somebody or something else than the agent or its expiry has ended
-- the subscription. The look-up comes first and by itself, as for deliveries: most workspaces have no event type of that name.
CREATE FUNCTION "raise_agent_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanted text := CASE TG_OP WHEN 'INSERT' THEN 'posthorn.agent.subscribed' ELSE 'posthorn.agent.ended' END;
  subscription jsonb;
BEGIN
  IF NOT EXISTS (SELECT FROM "event_type" WHERE "workspace_id" = NEW."workspace_id" AND "name" = wanted) THEN
    RETURN NULL;
  END IF;
  subscription := jsonb_build_object('subscriptionId', NEW."identity", 'eventType', NEW."event_type",
    'endpointId', NEW."endpoint_id", 'applicationId', NEW."application_id", 'environmentId', NEW."environment_id",
    'url', NEW."url");
  INSERT INTO "operational_event" ("workspace_id", "environment_id", "event_type", "facts")
  SELECT NEW."workspace_id", NEW."environment_id", wanted, (subscription || CASE TG_OP
    WHEN 'INSERT' THEN jsonb_build_object('expiresAt', NEW."expires_at")
    ELSE jsonb_build_object('endReason', NEW."end_reason", 'endedAt', NEW."ended_at") END)::json
  FROM "event_type" t
  JOIN "published_event_type" v ON v."event_type_id" = t."id" AND v."environment_id" = NEW."environment_id"
  WHERE t."workspace_id" = NEW."workspace_id" AND t."name" = wanted;
  RETURN NULL;
END
$$;
CREATE TRIGGER "agent_subscribed_event" AFTER INSERT ON "agent_subscription" FOR EACH ROW
  EXECUTE FUNCTION "raise_agent_event"();
CREATE TRIGGER "agent_ended_event" AFTER UPDATE ON "agent_subscription" FOR EACH ROW
  WHEN (OLD."ended_at" IS NULL AND NEW."ended_at" IS NOT NULL AND NEW."end_reason" NOT IN ('expired', 'unsubscribed'))
  EXECUTE FUNCTION "raise_agent_event"();
