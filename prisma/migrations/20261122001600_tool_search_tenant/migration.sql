-- The tenant's id among the words that tools are found by has a sign that no word of a search has: 'ten' was the beginning of
-- every tenant's id, and so found all of its tools. Else as before.
ALTER TABLE "tools" DROP COLUMN "search";
ALTER TABLE "tools" ADD COLUMN "search" tsvector GENERATED ALWAYS AS (
    array_to_tsvector(ARRAY['@' || "tenant_id"])
    || setweight(to_tsvector('pg_catalog.simple'::regconfig, translate("name", '_', ' ')), 'A')
    || setweight(to_tsvector('pg_catalog.english'::regconfig, translate("name", '_', ' ')), 'A')
    || setweight(to_tsvector('pg_catalog.simple'::regconfig,
        translate(coalesce("category", ''), '_-./:@&<>+#?=~%\''"', '                  ')), 'B')
    || setweight(to_tsvector('pg_catalog.english'::regconfig,
        translate(coalesce("category", ''), '_-./:@&<>+#?=~%\''"', '                  ')), 'B')
    || setweight(to_tsvector('pg_catalog.simple'::regconfig,
        translate("description", '_-./:@&<>+#?=~%\''"', '                  ')), 'C')
    || setweight(to_tsvector('pg_catalog.english'::regconfig,
        translate("description", '_-./:@&<>+#?=~%\''"', '                  ')), 'C')
) STORED;
CREATE INDEX "tools_search_idx" ON "tools" USING gin ("search");
