-- What becomes of a planned run while an earlier one has not ended. Schedules from before go on as they did.
ALTER TABLE "schedules"
    ADD COLUMN "overlap" TEXT NOT NULL DEFAULT 'allow',
    -- Why the platform paused it.
    ADD COLUMN "status_reason" TEXT,
    -- Planned runs that were left out since an earlier one had not ended.
    ADD COLUMN "skipped_runs" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "last_skipped_at" TIMESTAMPTZ(3),
    -- The planned time of the run that waits for an earlier one's end.
    ADD COLUMN "waiting_since" TIMESTAMPTZ(3),
    ADD CONSTRAINT "schedules_overlap_check" CHECK ("overlap" IN ('allow', 'skip', 'queue_one', 'cancel_previous')),
    ADD CONSTRAINT "schedules_waiting_check" CHECK ("status" = 'active' OR "waiting_since" IS NULL);
ALTER TABLE "schedules" ALTER COLUMN "overlap" DROP DEFAULT;
CREATE INDEX "schedules_waiting_idx" ON "schedules"("waiting_since", "id") WHERE "waiting_since" IS NOT NULL;

-- Runs of schedules that have not ended; what no schedule asked for is not in it.
CREATE INDEX "executions_open_scheduled_idx" ON "executions"("schedule_id", "id")
    WHERE "schedule_id" IS NOT NULL AND "status" IN ('awaiting_approval', 'queued', 'running');
