-- A tool's second name, which models see, and what it tells them of itself beside its schemas.
ALTER TABLE "tools"
    ADD COLUMN "alias" TEXT COLLATE "C",
    ADD COLUMN "title" TEXT,
    ADD COLUMN "annotations" JSON,
    -- A reference is an id, a name or an alias.
    ADD CONSTRAINT "tools_alias_check"
        CHECK ("alias" ~ '^[a-zA-Z0-9_-]{1,64}$' AND "alias" !~ '^tool_[0-9a-f]{16}$' AND "alias" <> "name");

CREATE UNIQUE INDEX "tools_tenant_id_alias_agent_id_key" ON "tools"("tenant_id", "alias", "agent_id")
    NULLS NOT DISTINCT WHERE "alias" IS NOT NULL;

-- Two indexes keep names apart and aliases apart; this keeps a name from being another tool's alias, whoever writes. Who
-- takes a name or an alias holds its lock to the end of the transaction, so the look sees what others have committed. The
-- lock is the one that libs/postgres takes for all names of a statement, in one order, before it.
CREATE FUNCTION "tool_names_apart"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock("lock") FROM (
        SELECT DISTINCT hashtextextended(
            concat_ws('/', 'tool_name', NEW."tenant_id", "taken", coalesce(NEW."agent_id", '')), 0) AS "lock"
        FROM unnest(ARRAY[NEW."name", NEW."alias"]) AS "taken" WHERE "taken" IS NOT NULL ORDER BY 1) AS "locks";
    IF EXISTS (SELECT FROM "tools" AS t WHERE t."tenant_id" = NEW."tenant_id" AND t."alias" = NEW."name"
            AND t."agent_id" IS NOT DISTINCT FROM NEW."agent_id" AND t."id" <> NEW."id") THEN
        RAISE unique_violation USING MESSAGE = 'the name is another tool''s alias', CONSTRAINT = 'tools_name_is_no_alias';
    END IF;
    IF EXISTS (SELECT FROM "tools" AS t WHERE t."tenant_id" = NEW."tenant_id" AND t."name" = NEW."alias"
            AND t."agent_id" IS NOT DISTINCT FROM NEW."agent_id" AND t."id" <> NEW."id") THEN
        RAISE unique_violation USING MESSAGE = 'the alias is another tool''s name', CONSTRAINT = 'tools_alias_is_no_name';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER "tools_names_apart" BEFORE INSERT OR UPDATE OF "name", "alias", "agent_id" ON "tools"
    FOR EACH ROW EXECUTE FUNCTION "tool_names_apart"();
