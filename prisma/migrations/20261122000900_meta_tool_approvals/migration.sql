-- Calls of meta-tools by agents that wait for a person, and what came of those that were allowed.

CREATE TABLE "meta_tool_approvals" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    -- Without a reference: of a call that creates, the tool is not there yet; of one that deletes, not any more.
    "tool_id" TEXT COLLATE "C" NOT NULL,
    "arguments" JSON NOT NULL,
    "context" JSON NOT NULL,
    "requested_by" TEXT COLLATE "C" NOT NULL,
    "agent_id" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "answer" TEXT,
    "answered_by" TEXT COLLATE "C",
    "answered_at" TIMESTAMPTZ(3),
    "runs" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "outcome" JSON,

    CONSTRAINT "meta_tool_approvals_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "meta_tool_approvals_answer_check" CHECK ("answer" IN ('allow_once', 'deny', 'expire')),
    CONSTRAINT "meta_tool_approvals_answered_check" CHECK (("answer" IS NULL) = ("answered_at" IS NULL)),
    -- What nobody allowed is never run.
    CONSTRAINT "meta_tool_approvals_run_check" CHECK ("answer" IS NOT DISTINCT FROM 'allow_once' OR ("runs" = 0 AND "outcome" IS NULL)),
    CONSTRAINT "meta_tool_approvals_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "meta_tool_approvals_waiting_idx" ON "meta_tool_approvals"("tenant_id", "id" DESC) WHERE "answer" IS NULL;
CREATE INDEX "meta_tool_approvals_overdue_idx" ON "meta_tool_approvals"("expires_at") WHERE "answer" IS NULL;
CREATE INDEX "meta_tool_approvals_undone_idx" ON "meta_tool_approvals"("id") WHERE "answer" = 'allow_once' AND "outcome" IS NULL;
CREATE INDEX "meta_tool_approvals_answered_idx" ON "meta_tool_approvals"("answered_at") WHERE "answer" IS NOT NULL;
