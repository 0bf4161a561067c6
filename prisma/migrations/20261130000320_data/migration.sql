-- Custom data: JSON documents in collections. An empty agent or user is none: any other text may be an id.

CREATE TABLE "data_collections" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "agent_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    -- Of its documents, with those whose time is over until the sweep takes them.
    "documents" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "data_collections_pkey" PRIMARY KEY ("tenant_id", "id"),
    CONSTRAINT "data_collections_check" CHECK ("documents" >= 0 AND "bytes" >= 0),
    CONSTRAINT "data_collections_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "data_collections_place_key" ON "data_collections"("tenant_id", "agent_id", "user_id", "name");
-- The sweep takes those that are empty.
CREATE INDEX "data_collections_empty_idx" ON "data_collections"("tenant_id") WHERE "documents" = 0;

CREATE TABLE "data_documents" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "collection_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    -- The value under the collection's id: what the index has of it is so the collection's own, whatever others keep.
    "body" JSONB NOT NULL,
    "version" BIGINT NOT NULL,
    -- Of the value as its writer sent it.
    "bytes" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" TEXT COLLATE "C" NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_by" TEXT COLLATE "C" NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "data_documents_pkey" PRIMARY KEY ("tenant_id", "collection_id", "id"),
    CONSTRAINT "data_documents_collection_fkey" FOREIGN KEY ("tenant_id", "collection_id")
        REFERENCES "data_collections"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "data_documents_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "data_documents_body_idx" ON "data_documents" USING gin ("body" jsonb_path_ops);
CREATE INDEX "data_documents_expires_at_idx" ON "data_documents"("expires_at") WHERE "expires_at" IS NOT NULL;

-- What a tenant's data takes. Whoever adds to it or takes away holds this row last of all.
CREATE TABLE "data_usage" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "collections" BIGINT NOT NULL DEFAULT 0,
    "documents" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "data_usage_pkey" PRIMARY KEY ("tenant_id"),
    CONSTRAINT "data_usage_check" CHECK ("collections" >= 0 AND "documents" >= 0 AND "bytes" >= 0),
    CONSTRAINT "data_usage_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
