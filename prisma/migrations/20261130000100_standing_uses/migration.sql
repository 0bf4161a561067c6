-- Calls that it let through, and when it did so last.
ALTER TABLE "standing_approvals"
    ADD COLUMN "uses" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "last_used_at" TIMESTAMPTZ(3);

-- Of those alone that a person was asked about, so that an execution that nobody is asked about writes nothing more.
CREATE INDEX "executions_asked_idx" ON "executions"("tenant_id", "id") WHERE "approval" IS NOT NULL;
