-- Versions that wait for a person, what people decided, and what was approved under a name.
ALTER TABLE "tools"
    -- A newer version than the one that serves, which waits.
    ADD COLUMN "pending_version" INTEGER,
    -- The capabilities that were last approved; NULL: those of the version that serves, where one does.
    ADD COLUMN "approved" JSON,
    ADD CONSTRAINT "tools_pending_version_check"
        CHECK ("pending_version" IS NULL OR ("pending_version" > "version" AND "status" IN ('active', 'disabled')));
CREATE INDEX "tools_waiting_idx" ON "tools"("tenant_id", "created_at" DESC, "id" DESC)
    WHERE "status" = 'pending_approval' OR "pending_version" IS NOT NULL;

-- One row for each version that had to wait. A version without a row never had to: it is approved.
CREATE TABLE "version_reviews" (
    "tool_id" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    -- What it may do beyond what was approved before.
    "grown" JSON NOT NULL,
    "proposed_by" TEXT COLLATE "C",
    "agent_id" TEXT,
    "conversation_id" TEXT,
    "proposed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "decided_by" TEXT COLLATE "C",
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "version_reviews_pkey" PRIMARY KEY ("tool_id", "version"),
    CONSTRAINT "version_reviews_state_check" CHECK ("state" IN ('pending', 'approved', 'rejected', 'superseded')),
    CONSTRAINT "version_reviews_version_fkey" FOREIGN KEY ("tool_id", "version")
        REFERENCES "tool_versions"("tool_id", "version") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Tools that nobody has approved, from before there were reviews.
INSERT INTO "version_reviews" ("tool_id", "version", "state", "grown", "proposed_at")
SELECT t."id", v."version", CASE WHEN v."version" < t."version" THEN 'superseded'
    WHEN t."status" = 'rejected' THEN 'rejected' ELSE 'pending' END, '[]', v."created_at"
FROM "tools" AS t JOIN "tool_versions" AS v ON v."tool_id" = t."id"
WHERE t."status" IN ('pending_approval', 'rejected');

-- What was last approved under a name that no tool has any more.
CREATE TABLE "approved_capabilities" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    -- The agent whose tool it was; empty: the tenant's.
    "agent_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "capabilities" JSON NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "approved_capabilities_pkey" PRIMARY KEY ("tenant_id", "name", "agent_id"),
    CONSTRAINT "approved_capabilities_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);

-- Runs of a version for those who decide about it. How one ended is kept here, since executions are dropped by age.
CREATE TABLE "version_dry_runs" (
    "execution_id" TEXT COLLATE "C" NOT NULL,
    "tool_id" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "arguments" JSON NOT NULL,
    "generated" BOOLEAN NOT NULL,
    -- NULL: as the execution says.
    "status" TEXT COLLATE "C",
    "result" JSON,
    "truncated" BOOLEAN NOT NULL DEFAULT false,
    "error" JSON,
    -- What it asked for and was refused.
    "effects" JSON NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "version_dry_runs_pkey" PRIMARY KEY ("execution_id"),
    CONSTRAINT "version_dry_runs_version_fkey" FOREIGN KEY ("tool_id", "version")
        REFERENCES "tool_versions"("tool_id", "version") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "version_dry_runs_tool_id_version_created_at_idx"
    ON "version_dry_runs"("tool_id", "version", "created_at");
