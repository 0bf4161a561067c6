-- What made an execution, and the name that the caller's program gave itself. Nothing is written to old rows: they say
-- "rest", whatever made them. No check on the source, which would read the whole table.
ALTER TABLE "executions"
    ADD COLUMN "source" TEXT COLLATE "C" NOT NULL DEFAULT 'rest',
    ADD COLUMN "client" TEXT;
