-- CreateIndex
CREATE INDEX "workspace_portal_origins_idx" ON "workspace" USING GIN ("portal_origins");
