-- Calls that wait for a person, what was allowed for good, and what a tenant lays down about both.

-- jsonb: settings are merged in the database, so that of two changes at once neither is lost.
ALTER TABLE "tenants" ADD COLUMN "settings" JSONB NOT NULL DEFAULT '{}';

ALTER TABLE "tools"
    -- NULL: requires_approval, then the tenant's settings decide.
    ADD COLUMN "approval" TEXT,
    ADD CONSTRAINT "tools_approval_check" CHECK ("approval" IN ('preApproved', 'ask', 'blocked'));

ALTER TABLE "executions"
    -- timeoutMs and expiresAt from its acceptance on, answer, by and at from the answer on; NULL: nobody had to be asked.
    ADD COLUMN "approval" JSONB,
    ADD CONSTRAINT "executions_approval_check" CHECK ("status" NOT IN ('awaiting_approval', 'denied') OR "approval" IS NOT NULL);

CREATE TABLE "standing_approvals" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "tool_id" TEXT COLLATE "C" NOT NULL,
    "tool_version" INTEGER NOT NULL,
    -- A JSON pointer; NULL: the pattern is for all arguments together.
    "argument" TEXT,
    -- NULL: every call of the version.
    "pattern" TEXT,
    "approval_id" TEXT COLLATE "C" NOT NULL,
    "created_by" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "standing_approvals_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "standing_approvals_pattern_check" CHECK ("argument" IS NULL OR "pattern" IS NOT NULL),
    CONSTRAINT "standing_approvals_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    -- What was said of a tool goes with it.
    CONSTRAINT "standing_approvals_tool_id_fkey" FOREIGN KEY ("tool_id") REFERENCES "tools"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "standing_approvals_said_key"
    ON "standing_approvals"("tool_id", "tool_version", "argument", "pattern") NULLS NOT DISTINCT;
CREATE INDEX "standing_approvals_tenant_id_created_at_id_idx"
    ON "standing_approvals"("tenant_id", "created_at" DESC, "id" DESC);
