-- The terms that a tool is found by are made of its text when somebody looks for tools, since PostgreSQL tells no words of scripts
-- without blanks apart. Until then the column is empty, and the partial index says of which tools.
ALTER TABLE "tools" DROP COLUMN "search";
ALTER TABLE "tools" ADD COLUMN "search" tsvector;
CREATE INDEX "tools_search_idx" ON "tools" USING gin ("search") WITH (fastupdate = off);
CREATE INDEX "tools_unready_idx" ON "tools" ("tenant_id") WHERE "search" IS NULL;

CREATE FUNCTION tools_forget_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.search := NULL;
    RETURN NEW;
END $$;
CREATE TRIGGER "tools_forget_search" BEFORE UPDATE OF "name", "category", "description" ON "tools" FOR EACH ROW
    WHEN ((OLD.name, OLD.category, OLD.description) IS DISTINCT FROM (NEW.name, NEW.category, NEW.description))
    EXECUTE FUNCTION tools_forget_search();
