-- Calls that are made again and again: by a cron pattern in a time zone, or every so many milliseconds.
CREATE TABLE "schedules" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT,
    -- Without a foreign key: a schedule outlives its tool, and says so at its next run.
    "tool_id" TEXT COLLATE "C" NOT NULL,
    "tool_name" TEXT COLLATE "C" NOT NULL,
    "arguments" JSON NOT NULL,
    "context" JSON NOT NULL,
    "priority" SMALLINT NOT NULL,
    "timeout_ms" INTEGER NOT NULL,
    "cron" TEXT,
    "time_zone" TEXT,
    "every_ms" BIGINT,
    -- The moment from which the multiples of every_ms are counted.
    "anchor_at" TIMESTAMPTZ(3),
    "missed_runs" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    -- The planned times to come, soonest first; the first one is the next run's, and moves on when that was seen to.
    "next_runs" TIMESTAMPTZ(3)[] NOT NULL,
    "next_run_at" TIMESTAMPTZ(3) GENERATED ALWAYS AS ("next_runs"[1]) STORED,
    "last_run_at" TIMESTAMPTZ(3),
    "last_execution_id" TEXT COLLATE "C",
    "last_error" JSON,
    -- Rises with every change that a person makes, and with no run.
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_by" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "schedules_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "schedules_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "schedules_plan_check" CHECK (
        CASE WHEN "cron" IS NULL THEN "every_ms" >= 1000 AND "anchor_at" IS NOT NULL AND "time_zone" IS NULL
        ELSE "every_ms" IS NULL AND "anchor_at" IS NULL AND "time_zone" IS NOT NULL END),
    CONSTRAINT "schedules_missed_runs_check" CHECK ("missed_runs" IN ('skip', 'once')),
    CONSTRAINT "schedules_status_check" CHECK ("status" IN ('active', 'paused')),
    -- What is active has a next run, what is paused has none.
    CONSTRAINT "schedules_next_runs_check" CHECK (("status" = 'active') = (cardinality("next_runs") > 0)),
    CONSTRAINT "schedules_priority_check" CHECK ("priority" BETWEEN 0 AND 9)
);
CREATE INDEX "schedules_tenant_id_created_at_id_idx" ON "schedules"("tenant_id", "created_at" DESC, "id" DESC);
CREATE INDEX "schedules_due_idx" ON "schedules"("next_run_at", "id") WHERE "status" = 'active';
