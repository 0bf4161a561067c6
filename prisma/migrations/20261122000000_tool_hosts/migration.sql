-- The hosts that a version's requests may go to; NULL is any public host, an empty array none.
ALTER TABLE "tool_versions" ADD COLUMN "allowed_hosts" TEXT[];
