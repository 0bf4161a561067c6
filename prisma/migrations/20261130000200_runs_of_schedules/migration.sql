-- The runs of one schedule, newest first. Of those alone that a schedule made.
CREATE INDEX "executions_schedule_idx" ON "executions"("tenant_id", "schedule_id", "id") WHERE "schedule_id" IS NOT NULL;
