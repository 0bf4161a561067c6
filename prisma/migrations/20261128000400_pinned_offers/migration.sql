-- What the MCP server of a tool has said of it, as this version was made: {"server", "tool", "pin", "title", "description",
-- "annotations"}. NULL: the version's code runs.
ALTER TABLE "tool_versions" ADD COLUMN "pinned" JSONB;
