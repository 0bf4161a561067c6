-- In the order of ids, since ids grow: an entry that is put behind the last one leaves full pages behind, one that is put before
-- the first one leaves half-full pages. Newest first they are read backward. As before, what locks readers out comes last.
CREATE INDEX "executions_ascending_idx" ON "executions"("tenant_id", "id") INCLUDE ("status", "created_at", "finished_at",
    "tool_id", "tool_name", "tool_version", "source", "requested_by", "erased_at");
CREATE INDEX "executions_ascending_tool_idx" ON "executions"("tenant_id", "tool_id", "status", "id") INCLUDE ("created_at",
    "finished_at", "tool_name", "tool_version", "source", "requested_by", "erased_at");
CREATE INDEX "executions_ascending_status_idx" ON "executions"("tenant_id", "status", "id");
CREATE INDEX "executions_ascending_agent_idx" ON "executions"("tenant_id", ("context"->>'agentId'), "status", "id")
    WHERE "context"->>'agentId' IS NOT NULL;

DROP INDEX "executions_tenant_id_id_idx";
DROP INDEX "executions_tenant_id_tool_id_status_id_idx";
DROP INDEX "executions_tenant_id_status_id_idx";
DROP INDEX "executions_agent_idx";
ALTER INDEX "executions_ascending_idx" RENAME TO "executions_tenant_id_id_idx";
ALTER INDEX "executions_ascending_tool_idx" RENAME TO "executions_tenant_id_tool_id_status_id_idx";
ALTER INDEX "executions_ascending_status_idx" RENAME TO "executions_tenant_id_status_id_idx";
ALTER INDEX "executions_ascending_agent_idx" RENAME TO "executions_agent_idx";
