-- Lists and statistics of executions by what people ask for. The indexes are built first, under other names: nothing is written
-- meanwhile, but all is read. What locks readers out comes last, and takes a moment.

-- All that statistics are made of stands in the index of a tenant's executions, and what a page is narrowed by that has no
-- index of its own: neither reads a row. None of it changes but with the status, which is in an index already.
CREATE INDEX "executions_of_tenant_idx" ON "executions"("tenant_id", "id" DESC) INCLUDE ("status", "created_at",
    "finished_at", "tool_id", "tool_name", "tool_version", "source", "requested_by", "erased_at");

-- With the status before the id, so that one index is for both questions: there are few statuses, and a page of all of them is
-- put together from a page of each.
CREATE INDEX "executions_tenant_id_tool_id_status_id_idx" ON "executions"("tenant_id", "tool_id", "status", "id" DESC)
    INCLUDE ("created_at", "finished_at", "tool_name", "tool_version", "source", "requested_by", "erased_at");
CREATE INDEX "executions_of_agent_idx" ON "executions"("tenant_id", ("context"->>'agentId'), "status", "id" DESC)
    WHERE "context"->>'agentId' IS NOT NULL;

-- By its text: -> and ->> fail on a document whose message has a NUL. Within a message each quotation mark has a backslash.
CREATE FUNCTION "execution_error_code"("error" json) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT substring("error"::text FROM '"code" ?: ?"([a-z_.]+)"')
$$;

-- Of those alone that have it.
CREATE INDEX "executions_conversation_idx" ON "executions"("tenant_id", ("context"->>'conversationId'), "id" DESC)
    WHERE "context"->>'conversationId' IS NOT NULL;
CREATE INDEX "executions_error_idx" ON "executions"("tenant_id", "execution_error_code"("error"), "id" DESC)
    WHERE "error" IS NOT NULL;
CREATE INDEX "executions_parent_idx" ON "executions"("tenant_id", "parent_id", "id" DESC) WHERE "parent_id" IS NOT NULL;

DROP INDEX "executions_tenant_id_id_idx";
DROP INDEX "executions_tenant_id_tool_id_id_idx";
DROP INDEX "executions_agent_idx";
ALTER INDEX "executions_of_tenant_idx" RENAME TO "executions_tenant_id_id_idx";
ALTER INDEX "executions_of_agent_idx" RENAME TO "executions_agent_idx";

-- The bytes of the two documents as texts, counted when they are written: to count them when they are listed would read them.
ALTER TABLE "executions"
    ADD COLUMN "arguments_bytes" INTEGER,
    ADD COLUMN "result_bytes" INTEGER;
