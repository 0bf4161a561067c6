-- The command that a version runs in place of code: {"template", "workingDirectory", "env"}, each value of env sealed or null.
-- NULL: the version's code runs.
ALTER TABLE "tool_versions" ADD COLUMN "shell" JSONB;
