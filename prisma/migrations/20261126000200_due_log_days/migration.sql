-- For how long a log is to be kept by its tool's word, as that was when the execution ended: a tool that is deleted right after
-- it can't be asked. Of one that was gone already nothing is kept, since it may have said so; NULL: its tenant decides.
ALTER TABLE "due_logs" DROP COLUMN "tool_id", ADD COLUMN "days" INTEGER;

CREATE OR REPLACE FUNCTION "enqueue_log"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    days_said integer;
BEGIN
    IF NEW."tool_id" IS NOT NULL THEN
        SELECT "log_retention_days" INTO days_said FROM "tools" WHERE "id" = NEW."tool_id" AND "tenant_id" = NEW."tenant_id";
        IF NOT FOUND THEN
            days_said := 0;
        END IF;
    END IF;
    INSERT INTO "due_logs" ("execution_id", "tenant_id", "days") VALUES (NEW."id", NEW."tenant_id", days_said);
    RETURN NULL;
END
$$;
