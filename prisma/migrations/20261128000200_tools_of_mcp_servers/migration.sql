-- The tool of somebody's MCP server that a tool stands for: {"server", "tool"}. NULL: the tool is the tenant's own code.
ALTER TABLE "tools" ADD COLUMN "mcp" JSONB;

-- One tool for each that a server offers, whoever lists them at the same moment; and a server's are found by its name.
CREATE UNIQUE INDEX "tools_mcp_key" ON "tools"("tenant_id", ("mcp"->>'server'), ("mcp"->>'tool')) WHERE "mcp" IS NOT NULL;
