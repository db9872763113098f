-- CreateIndex
CREATE INDEX "endpoint_line_workspace_id_next_at_idx" ON "endpoint_line"("workspace_id", "next_at");
