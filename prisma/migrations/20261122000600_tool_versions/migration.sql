-- What a version is written in, what runs of it, and what its results must match.
ALTER TABLE "tool_versions"
    ADD COLUMN "language" TEXT COLLATE "C" NOT NULL DEFAULT 'javascript',
    -- NULL: the code runs as it was written.
    ADD COLUMN "compiled" TEXT,
    -- NULL: any result will do.
    ADD COLUMN "output_schema" JSON,
    -- SHA-256 in hex of all that affects a run. NULL where the version is older than this column: readers make it then.
    ADD COLUMN "content_hash" TEXT COLLATE "C",
    ADD CONSTRAINT "tool_versions_language_check" CHECK ("language" IN ('javascript', 'typescript')),
    ADD CONSTRAINT "tool_versions_compiled_check" CHECK (("language" = 'typescript') = ("compiled" IS NOT NULL)),
    ADD CONSTRAINT "tool_versions_content_hash_check" CHECK ("content_hash" ~ '^[0-9a-f]{64}$');

-- Rises with every change of a tool but the counts of its usage, so that a change can name the state it was made for.
ALTER TABLE "tools" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 1;
