-- Files of tenants' workspaces. An empty agent or user is none: any other text may be an id.

CREATE TABLE "files" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "agent_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    -- From the root of the workspace, in NFC. By bytes, so that what lies within a folder is one range of the index.
    "path" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "size" BIGINT NOT NULL,
    -- SHA-256 in hex, of the whole.
    "hash" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "created_by" TEXT COLLATE "C" NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "written_by" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "files_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "files_path_check" CHECK ("path" <> '' AND octet_length("path") <= 1024),
    CONSTRAINT "files_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "files_place_key" ON "files"("tenant_id", "agent_id", "user_id", "path");

-- The present version and some before it; each lists the pieces of its bytes in their order.
CREATE TABLE "file_versions" (
    "file_id" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "size" BIGINT NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "chunks" TEXT[] COLLATE "C" NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "written_by" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "file_versions_pkey" PRIMARY KEY ("file_id", "version"),
    CONSTRAINT "file_versions_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "files"("id")
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "file_versions_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
-- The sweep asks who has a piece.
CREATE INDEX "file_versions_chunks_idx" ON "file_versions" USING gin ("chunks");

-- Pieces of files, each once for a tenant: of the same bytes of another tenant's nothing can be learned.
CREATE TABLE "file_chunks" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "bytes" BYTEA NOT NULL,
    -- When it was last written, or a version with it went; NULL: some version has it, as the sweep has seen.
    "touched_at" TIMESTAMPTZ(3) DEFAULT clock_timestamp(),

    CONSTRAINT "file_chunks_pkey" PRIMARY KEY ("tenant_id", "hash"),
    CONSTRAINT "file_chunks_bytes_check" CHECK (octet_length("bytes") <= 262144),
    CONSTRAINT "file_chunks_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "file_chunks_touched_at_idx" ON "file_chunks"("touched_at") WHERE "touched_at" IS NOT NULL;

-- What a tenant's files take, without former versions. Whoever writes files of the tenant holds this row.
CREATE TABLE "file_usage" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "files" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "file_usage_pkey" PRIMARY KEY ("tenant_id"),
    CONSTRAINT "file_usage_check" CHECK ("files" >= 0 AND "bytes" >= 0),
    CONSTRAINT "file_usage_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
