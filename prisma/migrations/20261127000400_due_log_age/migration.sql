-- How long the log that waits longest to be kept has waited, however many do, is one look.
CREATE INDEX "due_logs_ended_at_idx" ON "due_logs" ("ended_at");
