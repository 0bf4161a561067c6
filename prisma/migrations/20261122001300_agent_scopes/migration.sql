-- A tool is its tenant's, for all agents, or one agent's. Each of them has its names for itself.
ALTER TABLE "tools"
    -- NULL: the tenant's.
    ADD COLUMN "agent_id" TEXT COLLATE "C",
    ADD CONSTRAINT "tools_agent_id_check" CHECK (length("agent_id") BETWEEN 1 AND 200);

DROP INDEX "tools_tenant_id_name_key";
CREATE UNIQUE INDEX "tools_tenant_id_name_agent_id_key" ON "tools"("tenant_id", "name", "agent_id") NULLS NOT DISTINCT;

-- What one agent has of its own, and which of the tenant's names that hides.
CREATE INDEX "tools_agent_idx" ON "tools"("tenant_id", "agent_id", "name") WHERE "agent_id" IS NOT NULL;
