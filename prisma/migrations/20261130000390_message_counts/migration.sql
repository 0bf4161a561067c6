-- The messages that a tenant has sent, by the hour since 1970 in which they were: of the last 25 of them alone.
CREATE TABLE "message_counts" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "hours" JSONB NOT NULL,

    CONSTRAINT "message_counts_pkey" PRIMARY KEY ("tenant_id"),
    CONSTRAINT "message_counts_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
