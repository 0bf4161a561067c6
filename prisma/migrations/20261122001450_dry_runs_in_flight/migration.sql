-- For the bound on dry runs that nobody asked for: those of the last minute that nothing was put down of.
CREATE INDEX "version_dry_runs_in_flight_idx" ON "version_dry_runs"("created_at") WHERE "status" IS NULL;
