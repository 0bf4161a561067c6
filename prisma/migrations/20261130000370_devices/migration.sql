-- Paired devices, whose commands the tool nodes invokes, and the codes that let them in.

CREATE TABLE "devices" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "platform" TEXT,
    "commands" JSON NOT NULL,
    -- Who alone may use it. NULL: any agent, any user.
    "agent_id" TEXT COLLATE "C",
    "user_id" TEXT COLLATE "C",
    "token_sha256" TEXT COLLATE "C" NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3),
    "paired_by" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "devices_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "devices_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "devices_token_sha256_key" ON "devices"("token_sha256");
CREATE INDEX "devices_tenant_id_created_at_id_idx" ON "devices"("tenant_id", "created_at" DESC, "id" DESC);

CREATE TABLE "device_pairing_codes" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "sha256" TEXT COLLATE "C" NOT NULL,
    "name" TEXT,
    "agent_id" TEXT COLLATE "C",
    "user_id" TEXT COLLATE "C",
    "made_by" TEXT COLLATE "C" NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "device_pairing_codes_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "device_pairing_codes_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "device_pairing_codes_sha256_key" ON "device_pairing_codes"("sha256");
CREATE INDEX "device_pairing_codes_tenant_id_idx" ON "device_pairing_codes"("tenant_id");
