-- What executions said, kept when their streams in Redis have gone.

-- For how many days what a tool's executions said is kept; NULL: as its tenant's settings say.
ALTER TABLE "tools" ADD COLUMN "log_retention_days" INTEGER
    CONSTRAINT "tools_log_retention_days_check" CHECK ("log_retention_days" >= 0);

-- Ended executions whose logs are still to be read from their streams.
CREATE TABLE "due_logs" (
    "execution_id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "tool_id" TEXT COLLATE "C",
    "ended_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    -- When a worker may take it; while one has it: when that counts as lost.
    "due_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now() + interval '1 second',

    CONSTRAINT "due_logs_pkey" PRIMARY KEY ("execution_id")
);
CREATE INDEX "due_logs_tenant_id_due_at_idx" ON "due_logs"("tenant_id", "due_at");

CREATE TABLE "execution_logs" (
    "execution_id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    -- The last event that the stream had lost by its bounds; NULL when it had lost none.
    "cut" TEXT COLLATE "C",
    -- The words of its lines and values, each behind a mark of the tenant's, so that the index reads no other tenant's.
    "words" tsvector NOT NULL,
    "kept_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "execution_logs_pkey" PRIMARY KEY ("execution_id")
);
CREATE INDEX "execution_logs_tenant_id_execution_id_idx" ON "execution_logs"("tenant_id", "execution_id" DESC);
CREATE INDEX "execution_logs_words_idx" ON "execution_logs" USING gin ("words");
CREATE INDEX "execution_logs_kept_until_idx" ON "execution_logs"("kept_until");

-- Their events, a page of a reader in each piece.
CREATE TABLE "log_pieces" (
    "execution_id" TEXT COLLATE "C" NOT NULL,
    "n" INTEGER NOT NULL,
    -- The ids of its first and its last event: the attempt, then the number.
    "first_id" BIGINT[] NOT NULL,
    "last_id" BIGINT[] NOT NULL,
    "packed" BYTEA NOT NULL,

    CONSTRAINT "log_pieces_pkey" PRIMARY KEY ("execution_id", "n"),
    CONSTRAINT "log_pieces_execution_id_fkey" FOREIGN KEY ("execution_id") REFERENCES "execution_logs"("execution_id") ON DELETE CASCADE
);
-- It is compressed already.
ALTER TABLE "log_pieces" ALTER COLUMN "packed" SET STORAGE EXTERNAL;

-- In the transaction that ends an execution, whichever statement that is. An execution that was tried once and said nothing
-- ends with its third event, behind `queued` and `started`, or with its second, where it never started.
CREATE FUNCTION "enqueue_log"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "due_logs" ("execution_id", "tenant_id", "tool_id") VALUES (NEW."id", NEW."tenant_id", NEW."tool_id");
    RETURN NULL;
END
$$;
-- Partitions get a copy of it when they are attached.
CREATE TRIGGER "executions_enqueue_log" AFTER UPDATE OF "end_event_id" ON "executions" FOR EACH ROW
    WHEN (OLD."end_event_id" IS NULL AND NEW."end_event_id" NOT IN ('1-2', '1-3'))
    EXECUTE FUNCTION "enqueue_log"();

-- Drops the partitions whose every execution was accepted before `before`, with what belongs to them. A partition in
-- which something has not ended stays. Answers how many went.
CREATE OR REPLACE FUNCTION "drop_execution_partitions"("before" timestamptz) RETURNS integer LANGUAGE plpgsql
SET lock_timeout = '5s' AS $$
DECLARE
    part record;
    first_id text;
    end_id text;
    is_open boolean;
    dropped integer := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('bulkhead.execution_partitions', 0));
    FOR part IN
        SELECT c.oid::regclass AS name, to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' AS starts
        FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = '"executions"'::regclass AND c.relname ~ '^executions_[0-9]{8}$'
        ORDER BY c.relname
    LOOP
        EXIT WHEN part.starts + interval '168 hours' > "before";
        EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE finished_at IS NULL)', part.name) INTO is_open;
        CONTINUE WHEN is_open;
        first_id := "execution_id_floor"(part.starts);
        end_id := "execution_id_floor"(part.starts + interval '168 hours');
        DELETE FROM "execution_attempts" WHERE "execution_id" >= first_id AND "execution_id" < end_id;
        DELETE FROM "deliveries" WHERE "execution_id" >= first_id AND "execution_id" < end_id;
        DELETE FROM "due_logs" WHERE "execution_id" >= first_id AND "execution_id" < end_id;
        DELETE FROM "execution_logs" WHERE "execution_id" >= first_id AND "execution_id" < end_id;
        EXECUTE format('DROP TABLE %s', part.name);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END
$$;
