-- The terms that a tool is found by are made of its text when somebody looks for tools, since PostgreSQL tells no words of scripts
-- without blanks apart. They have a table of their own, so that making them holds up nobody who counts a tool's usage.
ALTER TABLE "tools" DROP COLUMN "search";
ALTER TABLE "tools" ADD COLUMN "has_terms" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "tools_without_terms_idx" ON "tools" ("tenant_id") WHERE NOT "has_terms";

CREATE TABLE "tool_terms" (
    "tool_id" TEXT NOT NULL,
    -- The tool's revision that they were made of.
    "revision" INTEGER NOT NULL,
    "terms" TSVECTOR NOT NULL,

    CONSTRAINT "tool_terms_pkey" PRIMARY KEY ("tool_id"),
    CONSTRAINT "tool_terms_tool_id_fkey" FOREIGN KEY ("tool_id") REFERENCES "tools"("id") ON DELETE CASCADE
);
-- What waited in a list to be put in order would be read through by every tenant's search.
CREATE INDEX "tool_terms_terms_idx" ON "tool_terms" USING gin ("terms") WITH (fastupdate = off);

CREATE FUNCTION "tools_forget_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."has_terms" := false;
    RETURN NEW;
END
$$;
CREATE TRIGGER "tools_forget_terms" BEFORE UPDATE OF "name", "category", "description" ON "tools" FOR EACH ROW
    WHEN ((OLD."name", OLD."category", OLD."description") IS DISTINCT FROM (NEW."name", NEW."category", NEW."description"))
    EXECUTE FUNCTION "tools_forget_terms"();
