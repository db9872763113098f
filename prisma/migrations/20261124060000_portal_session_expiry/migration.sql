-- posthorn: concurrently
-- For the deletion of expired sessions, which would read all of them.
CREATE INDEX "portal_session_expires_at_idx" ON "portal_session" ("expires_at");
