-- For how long what an execution was given, answered and said is kept, and the deletion of one execution's data.

-- `{arguments?, result?, events?}`, each "none" or so many days; what is left out is as the tenant says, else the platform.
-- It takes the place of the days of logs alone, for tools and for tenants.
ALTER TABLE "tools" ADD COLUMN "retention" JSON;
UPDATE "tools" SET "retention" = json_build_object('events',
    CASE WHEN "log_retention_days" = 0 THEN to_json('none'::text) ELSE to_json("log_retention_days") END)
WHERE "log_retention_days" IS NOT NULL;
-- "log_retention_days" stays, and nothing looks at it any more: the version before reads it with every tool, beside this one and when one goes back to it.
UPDATE "tenants" SET "settings" = "settings" - 'logRetentionDays' || CASE
    WHEN jsonb_typeof("settings"->'logRetentionDays') <> 'number' THEN '{}'
    WHEN ("settings"->>'logRetentionDays')::int = 0 THEN '{"retention": {"events": "none"}}'
    ELSE jsonb_build_object('retention', jsonb_build_object('events', "settings"->'logRetentionDays')) END
WHERE "settings" ? 'logRetentionDays';

ALTER TABLE "executions"
    -- What held for it when it was accepted; NULL: nobody said anything.
    ADD COLUMN "retention" JSON,
    -- The parts of it that are erased; NULL: none.
    ADD COLUMN "erased" TEXT[],
    -- Since when it is deleted: only what usage is made of is left, and nobody finds it any more.
    ADD COLUMN "erased_at" TIMESTAMPTZ(3);

-- What was accepted before, and what ended before its log was kept, has what its tool and its tenant say now.
UPDATE "executions" AS e SET "retention" = said."retention"
FROM (
    SELECT o."id", coalesce(
        (SELECT t."retention" FROM "tools" AS t WHERE t."id" = o."tool_id" AND t."tenant_id" = o."tenant_id"),
        (SELECT (n."settings"->'retention')::json FROM "tenants" AS n WHERE n."id" = o."tenant_id")) AS "retention"
    FROM "executions" AS o WHERE o."status" IN ('awaiting_approval', 'queued', 'running')
) AS said
WHERE e."id" = said."id" AND said."retention" IS NOT NULL;
UPDATE "due_logs" AS d SET "days" = CASE WHEN n."settings"->'retention'->>'events' = 'none' THEN 0
    ELSE (n."settings"->'retention'->>'events')::int END
FROM "tenants" AS n WHERE n."id" = d."tenant_id" AND d."days" IS NULL;

-- Parts of ended executions whose time comes. "events" is what its stream in Redis holds; a kept log knows its own time.
CREATE TABLE "due_erasures" (
    "execution_id" TEXT COLLATE "C" NOT NULL,
    "part" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    -- While a worker has it: when that counts as lost.
    "due_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "due_erasures_pkey" PRIMARY KEY ("execution_id", "part"),
    CONSTRAINT "due_erasures_part_check" CHECK ("part" IN ('arguments', 'result', 'events'))
);
CREATE INDEX "due_erasures_tenant_id_due_at_idx" ON "due_erasures"("tenant_id", "due_at");

-- In the transaction that ends an execution, whichever statement that is. Who waits for the end reads the row within the
-- half minute that "none" leaves.
CREATE FUNCTION "enqueue_erasures"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "due_erasures" ("execution_id", "part", "tenant_id", "due_at")
    SELECT NEW."id", said.key, NEW."tenant_id",
        now() + CASE said.value WHEN 'none' THEN interval '30 seconds' ELSE said.value::int * interval '1 day' END
    FROM json_each_text(NEW."retention") AS said
    WHERE said.key IN ('arguments', 'result') OR said.key = 'events' AND said.value = 'none';
    RETURN NULL;
END
$$;
-- Partitions get a copy of it when they are attached.
CREATE TRIGGER "executions_enqueue_erasures" AFTER UPDATE OF "finished_at" ON "executions" FOR EACH ROW
    WHEN (OLD."finished_at" IS NULL AND NEW."finished_at" IS NOT NULL AND NEW."retention" IS NOT NULL)
    EXECUTE FUNCTION "enqueue_erasures"();

-- The log's days are those of the execution; 0 for "none", NULL: as the platform says.
CREATE OR REPLACE FUNCTION "enqueue_log"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "due_logs" ("execution_id", "tenant_id", "days") VALUES (NEW."id", NEW."tenant_id",
        CASE WHEN NEW."retention"->>'events' = 'none' THEN 0 ELSE (NEW."retention"->>'events')::int END);
    RETURN NULL;
END
$$;

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
        DELETE FROM "due_erasures" WHERE "execution_id" >= first_id AND "execution_id" < end_id;
        EXECUTE format('DROP TABLE %s', part.name);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END
$$;
