-- Executions that another execution's tool asked for, and which layer ended a run.
-- Without a foreign key to the parent: it may stand in another partition, and old partitions are dropped as a whole.
ALTER TABLE "executions"
    ADD COLUMN "parent_id" TEXT COLLATE "C",
    ADD COLUMN "depth" INTEGER NOT NULL DEFAULT 1,
    ADD COLUMN "by_agent" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "ended_by" TEXT COLLATE "C",
    ADD CONSTRAINT "executions_depth_check" CHECK ("depth" >= 1 AND ("depth" = 1) = ("parent_id" IS NULL)),
    ADD CONSTRAINT "executions_ended_by_check" CHECK ("ended_by" IN ('guest', 'isolate', 'process', 'worker', 'system'));
