-- By which rule a tool's terms were made, zero where they are not those of its present text: the code has the rule's number, so that a
-- new rule makes them anew when somebody looks for tools, tenant by tenant. Here it does so once, since accents no longer count.
DROP TRIGGER "tools_forget_terms" ON "tools";
DROP INDEX "tools_without_terms_idx";
ALTER TABLE "tools" DROP COLUMN "has_terms";
ALTER TABLE "tools" ADD COLUMN "terms_rule" SMALLINT NOT NULL DEFAULT 0;
CREATE INDEX "tools_tenant_id_terms_rule_idx" ON "tools" ("tenant_id", "terms_rule");

CREATE OR REPLACE FUNCTION "tools_forget_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."terms_rule" := 0;
    RETURN NEW;
END
$$;
CREATE TRIGGER "tools_forget_terms" BEFORE UPDATE OF "name", "category", "description" ON "tools" FOR EACH ROW
    WHEN ((OLD."name", OLD."category", OLD."description") IS DISTINCT FROM (NEW."name", NEW."category", NEW."description"))
    EXECUTE FUNCTION "tools_forget_terms"();
