-- What tools are found by: the words of the name (weight A), the category (B) and the description (C), each as it is
-- written and by its English stem. Punctuation is taken out first, since the parser makes hosts, files, tags and signed
-- numbers of it. The tenant's id is a word of its own, so that the index reads no other tenant's matches.
-- Counting usage changes none of the columns this is made of, so those updates touch no index.
ALTER TABLE "tools" ADD COLUMN "search" tsvector GENERATED ALWAYS AS (
    array_to_tsvector(ARRAY["tenant_id"])
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
