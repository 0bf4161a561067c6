-- What made an execution, and the name that the caller's program gave itself. Nothing is written to old rows: what made them
-- is read from the rest of the row. No check on the source, which would read the whole table.
ALTER TABLE "executions"
    ADD COLUMN "source" TEXT COLLATE "C",
    ADD COLUMN "client" TEXT;
