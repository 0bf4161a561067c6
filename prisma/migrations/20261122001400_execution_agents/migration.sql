-- An agent's key lists the calls that were made for its agent: few, maybe, among many of its tenant.
CREATE INDEX "executions_agent_idx" ON "executions"("tenant_id", ("context"->>'agentId'), "id" DESC)
    WHERE "context"->>'agentId' IS NOT NULL;
