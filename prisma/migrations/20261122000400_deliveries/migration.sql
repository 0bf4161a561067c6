-- The ends of executions on their way to those who asked to be told, and the generations of tenants' signing secrets.

ALTER TABLE "tenants"
    ADD COLUMN "webhook_generation" INTEGER NOT NULL DEFAULT 1,
    -- When the generations before were replaced, the latest first.
    ADD COLUMN "webhook_replaced_at" TIMESTAMPTZ(3)[] NOT NULL DEFAULT '{}',
    ADD CONSTRAINT "tenants_webhook_generation_check" CHECK ("webhook_generation" >= 1);

CREATE TABLE "deliveries" (
    "execution_id" TEXT COLLATE "C" NOT NULL,
    "n" INTEGER NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "url" TEXT NOT NULL,
    -- The caller's own secret; NULL: the tenant's signs.
    "sealed_secret" TEXT,
    "status" TEXT COLLATE "C" NOT NULL DEFAULT 'pending',
    -- The number of tries so far, and the fencing token of the latest.
    "try_number" INTEGER NOT NULL DEFAULT 0,
    -- Since when the latest try is under way; NULL once its outcome is on record.
    "claimed_at" TIMESTAMPTZ(3),
    -- While a try is under way: when it counts as lost. Not rounded: what is due now is due for the next statement.
    "due_at" TIMESTAMPTZ(6),
    "retry_until" TIMESTAMPTZ(3) NOT NULL,
    -- The last tries, oldest first. jsonb: they are appended to in place, and hold no text of a tenant's.
    "tries" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("execution_id", "n"),
    CONSTRAINT "deliveries_n_check" CHECK ("n" >= 1),
    CONSTRAINT "deliveries_status_check" CHECK ("status" IN ('pending', 'delivered', 'failed')),
    CONSTRAINT "deliveries_due_check" CHECK (("status" = 'pending') = ("due_at" IS NOT NULL))
) WITH (fillfactor = 70); -- Room on the page for the tries.
CREATE INDEX "deliveries_tenant_id_due_at_idx" ON "deliveries"("tenant_id", "due_at") WHERE "status" = 'pending';

-- In the transaction that ends an execution, whichever statement that is: an end that is stored is on its way.
CREATE FUNCTION "enqueue_delivery"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "deliveries" ("execution_id", "n", "tenant_id", "url", "sealed_secret", "due_at", "retry_until")
    VALUES (NEW."id", 1, NEW."tenant_id", NEW."callback"->>'url', NEW."callback"->>'sealedSecret', now(),
        now() + interval '24 hours');
    RETURN NULL;
END
$$;
-- Partitions get a copy of it when they are attached.
CREATE TRIGGER "executions_enqueue_delivery" AFTER UPDATE OF "finished_at" ON "executions" FOR EACH ROW
    WHEN (OLD."finished_at" IS NULL AND NEW."finished_at" IS NOT NULL AND NEW."callback" IS NOT NULL)
    EXECUTE FUNCTION "enqueue_delivery"();

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
        EXECUTE format('DROP TABLE %s', part.name);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END
$$;
