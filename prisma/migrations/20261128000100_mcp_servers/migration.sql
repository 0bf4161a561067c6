-- Others' MCP servers, as tenants have registered them, and who may use them.

-- Rises with every change of who may use a tenant's servers, beside the version of its policy. A constant default rewrites no
-- row, and builds that don't know it leave it as it is.
ALTER TABLE "tenants" ADD COLUMN "mcp_version" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "mcp_servers" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "transport" TEXT COLLATE "C" NOT NULL,
    "url" TEXT,
    "command" TEXT,
    "args" JSON NOT NULL,
    -- By name: a text, or the field of a service in the Config Center that holds it.
    "env" JSON NOT NULL,
    "headers" JSON NOT NULL,
    -- NULL: made of the name.
    "tool_prefix" TEXT COLLATE "C",
    "timeout_ms" INTEGER NOT NULL,
    -- A list; NULL: all agents.
    "agent_ids" JSON,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "state" TEXT COLLATE "C" NOT NULL DEFAULT 'idle',
    "state_reason" TEXT,
    "state_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    -- Failed tries in a row.
    "failures" INTEGER NOT NULL DEFAULT 0,
    -- Rises with every change of what the tenant says.
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "mcp_servers_pkey" PRIMARY KEY ("tenant_id", "name"),
    CONSTRAINT "mcp_servers_name_check" CHECK ("name" ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT "mcp_servers_transport_check" CHECK (("command" IS NULL) = ("url" IS NOT NULL)),
    CONSTRAINT "mcp_servers_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);

-- What one agent, or one user, gets of a server.
CREATE TABLE "mcp_grants" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "server" TEXT COLLATE "C" NOT NULL,
    "scope" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    -- Names of tools as their server calls them; NULL: all.
    "tool_allow" JSON,
    "tool_deny" JSON NOT NULL,
    "enabled" BOOLEAN NOT NULL,

    CONSTRAINT "mcp_grants_pkey" PRIMARY KEY ("tenant_id", "server", "scope", "id"),
    CONSTRAINT "mcp_grants_scope_check" CHECK ("scope" IN ('agent', 'user')),
    CONSTRAINT "mcp_grants_server_fkey" FOREIGN KEY ("tenant_id", "server")
        REFERENCES "mcp_servers"("tenant_id", "name") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Wishes to get a server's tools, and what people have answered.
CREATE TABLE "mcp_access_requests" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "server" TEXT COLLATE "C" NOT NULL,
    "scope" TEXT COLLATE "C" NOT NULL,
    -- Whose grant it would be.
    "grantee" TEXT COLLATE "C" NOT NULL,
    "tool_allow" JSON,
    "reason" TEXT,
    "status" TEXT COLLATE "C" NOT NULL DEFAULT 'pending',
    "requested_by" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "answered_by" TEXT COLLATE "C",
    "answered_at" TIMESTAMPTZ(3),
    "answer" TEXT,

    CONSTRAINT "mcp_access_requests_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "mcp_access_requests_scope_check" CHECK ("scope" IN ('agent', 'user')),
    CONSTRAINT "mcp_access_requests_status_check" CHECK ("status" IN ('pending', 'approved', 'rejected')),
    CONSTRAINT "mcp_access_requests_answered_check" CHECK (("status" = 'pending') = ("answered_at" IS NULL)),
    CONSTRAINT "mcp_access_requests_server_fkey" FOREIGN KEY ("tenant_id", "server")
        REFERENCES "mcp_servers"("tenant_id", "name") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "mcp_access_requests_tenant_id_created_at_id_idx"
    ON "mcp_access_requests"("tenant_id", "created_at" DESC, "id" DESC);
-- Those that wait are counted, and looked for, before another one is taken.
CREATE INDEX "mcp_access_requests_waiting_idx" ON "mcp_access_requests"("tenant_id", "server", "scope", "grantee")
    WHERE "status" = 'pending';
CREATE INDEX "mcp_access_requests_server_idx" ON "mcp_access_requests"("tenant_id", "server");
