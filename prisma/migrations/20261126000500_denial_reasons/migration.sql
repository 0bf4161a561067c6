-- Why a person denied a meta-tool's call, for the agent that asked.
ALTER TABLE "meta_tool_approvals" ADD COLUMN "answer_reason" TEXT;
