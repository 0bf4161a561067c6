-- The keys that seal tenants' secrets, each wrapped by a master key that the database never sees, and the ids of those
-- master keys that processes have started with.

CREATE TABLE "data_keys" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    -- What it is for; a tenant has one key for each use, so that of many who make it at once one wins.
    "use" TEXT COLLATE "C" NOT NULL,
    -- NULL: comes from a master key itself, as all keys of the version before, and is wrapped at the next start.
    "wrapped" TEXT,
    -- The one that wraps it, or that it comes from; NULL where the latter is not known.
    "master_key_id" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "wrapped_at" TIMESTAMPTZ(3),

    CONSTRAINT "data_keys_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "data_keys_wrapped_check" CHECK ("wrapped" IS NULL OR ("master_key_id" IS NOT NULL AND "wrapped_at" IS NOT NULL))
);
CREATE UNIQUE INDEX "data_keys_tenant_id_use_key" ON "data_keys"("tenant_id", "use");
CREATE INDEX "data_keys_master_key_id_id_idx" ON "data_keys"("master_key_id", "id");
-- With a tenant go its keys, and with them all that it had sealed, wherever copies of that are.
ALTER TABLE "data_keys" ADD CONSTRAINT "data_keys_tenant_id_fkey"
    FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "master_keys" (
    "id" TEXT COLLATE "C" NOT NULL,
    "first_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "master_keys_pkey" PRIMARY KEY ("id")
);

-- What tenants have from the version before must stay as it is: the key of their sealed texts, and the webhook secrets
-- that sign today. The latest sealed text, if there is one, tells the master key.
INSERT INTO "data_keys" ("id", "tenant_id", "use", "master_key_id")
SELECT 'dk_' || left(replace(gen_random_uuid()::text, '-', ''), 16), t."id", u."use", (
    SELECT split_part("sealed_secret", '.', 2) FROM "deliveries" WHERE "sealed_secret" LIKE 'v1.%'
    ORDER BY "execution_id" DESC LIMIT 1)
FROM "tenants" AS t CROSS JOIN LATERAL (
    SELECT 'seal.v1' AS "use"
    UNION ALL
    SELECT 'derived.v1/webhook/' || generation
    FROM generate_series(t."webhook_generation" - cardinality(t."webhook_replaced_at"), t."webhook_generation") AS generation
) AS u;
