-- Schedules that runs of tools make are those of their tool, agent and user. NULL: a person made it.
ALTER TABLE "schedules" ADD COLUMN "made_by_tool" TEXT;
