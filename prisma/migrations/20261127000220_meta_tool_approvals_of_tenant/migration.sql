-- Answered ones too are exported and deleted with their tenant.
CREATE INDEX "meta_tool_approvals_tenant_id_id_idx" ON "meta_tool_approvals"("tenant_id", "id");
