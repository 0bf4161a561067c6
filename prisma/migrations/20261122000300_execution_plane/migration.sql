-- When it is an execution's turn, its further tries, and calls that are accepted once.

ALTER TABLE "executions"
    ADD COLUMN "priority" SMALLINT NOT NULL DEFAULT 4,
    -- Not before this moment: a delay, or the pause before another try.
    ADD COLUMN "not_before" TIMESTAMPTZ(3),
    -- The tool's policy when the call was accepted; NULL: no further try.
    ADD COLUMN "retry" JSON,
    -- Where its end is told.
    ADD COLUMN "callback" JSON,
    ADD COLUMN "replay_of" TEXT COLLATE "C",
    ADD COLUMN "schedule_id" TEXT COLLATE "C",
    ADD CONSTRAINT "executions_priority_check" CHECK ("priority" BETWEEN 0 AND 9);

-- Whether an execution was replayed already.
CREATE INDEX "executions_replay_of_idx" ON "executions"("replay_of") WHERE "replay_of" IS NOT NULL;

ALTER TABLE "tools"
    ADD COLUMN "retry" JSON,
    ADD COLUMN "dispatch" JSON;

-- Tries that are over while their execution was not. The last one is the execution's own row.
CREATE TABLE "execution_attempts" (
    "execution_id" TEXT COLLATE "C" NOT NULL,
    "attempt" INTEGER NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "outcome" TEXT NOT NULL,
    "error" JSON,
    "usage" JSON,
    "ended_by" TEXT,
    "worker_id" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "execution_attempts_pkey" PRIMARY KEY ("execution_id", "attempt"),
    CONSTRAINT "execution_attempts_outcome_check" CHECK ("outcome" IN ('failed', 'handed_back', 'lost'))
);

-- For which execution a key of the last hours stands.
CREATE TABLE "idempotency_keys" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "body_hash" TEXT COLLATE "C" NOT NULL,
    "execution_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("tenant_id", "key")
);
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- Drops the partitions whose every execution was accepted before `before`, with what belongs to them. A partition in
-- which something has not ended stays. Answers how many went.
CREATE FUNCTION "drop_execution_partitions"("before" timestamptz) RETURNS integer LANGUAGE plpgsql
SET lock_timeout = '5s' AS $$
DECLARE
    part record;
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
        DELETE FROM "execution_attempts" WHERE "execution_id" >= "execution_id_floor"(part.starts)
            AND "execution_id" < "execution_id_floor"(part.starts + interval '168 hours');
        EXECUTE format('DROP TABLE %s', part.name);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END
$$;
