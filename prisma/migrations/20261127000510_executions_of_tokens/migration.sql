-- The access token by which an execution was made: it may read what it has made.
ALTER TABLE "executions" ADD COLUMN "access_token_id" TEXT COLLATE "C";
