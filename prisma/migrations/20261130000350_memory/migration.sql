-- What searches of the memory need of its documents, by a document's content: each once for a tenant, made of files and
-- dropped when none has it.
CREATE TABLE "memory_documents" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    -- SHA-256 in hex, of the bytes of the file.
    "hash" TEXT COLLATE "C" NOT NULL,
    "format" INTEGER NOT NULL,
    "chunks" INTEGER NOT NULL,
    "is_text" BOOLEAN NOT NULL,
    -- How often which words stand in each chunk.
    "words" BYTEA NOT NULL,
    -- Of each chunk so many signed bytes, by this model; NULL: they are still to be made.
    "model" TEXT COLLATE "C",
    "dimensions" INTEGER,
    "vectors" BYTEA,
    -- When somebody may make them.
    "vectors_due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "indexed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT "memory_documents_pkey" PRIMARY KEY ("tenant_id", "hash"),
    CONSTRAINT "memory_documents_vectors_check" CHECK (num_nulls("model", "dimensions", "vectors") IN (0, 3)),
    CONSTRAINT "memory_documents_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
-- Bytes that don't compress.
ALTER TABLE "memory_documents" ALTER COLUMN "words" SET STORAGE EXTERNAL, ALTER COLUMN "vectors" SET STORAGE EXTERNAL;
CREATE INDEX "memory_documents_due_idx" ON "memory_documents"("tenant_id", "vectors_due_at")
    WHERE "vectors" IS NULL AND "chunks" > 0;

-- The lines that results show.
CREATE TABLE "memory_chunks" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "n" INTEGER NOT NULL,
    "start_line" INTEGER NOT NULL,
    "end_line" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    CONSTRAINT "memory_chunks_pkey" PRIMARY KEY ("tenant_id", "hash", "n"),
    CONSTRAINT "memory_chunks_document_fkey" FOREIGN KEY ("tenant_id", "hash")
        REFERENCES "memory_documents"("tenant_id", "hash") ON DELETE CASCADE ON UPDATE CASCADE
);

-- The walk for what is not indexed, and who asks whether a content still has a document.
CREATE INDEX "files_memory_id_idx" ON "files"("id")
    WHERE ("path" IN ('MEMORY.md', 'memory.md') OR starts_with("path", 'memory/')) AND lower(right("path", 3)) = '.md';
CREATE INDEX "files_memory_hash_idx" ON "files"("tenant_id", "hash")
    WHERE ("path" IN ('MEMORY.md', 'memory.md') OR starts_with("path", 'memory/')) AND lower(right("path", 3)) = '.md';
