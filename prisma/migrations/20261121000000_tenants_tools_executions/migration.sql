-- Tenants, keys, tools and executions.
-- Made from prisma/schema.prisma by the schema engine's diff, then written by hand: collation, partitions,
-- partial indexes, checks and triggers, which the schema's language has no words for.

CREATE TABLE "tenants" (
    "id" TEXT COLLATE "C" NOT NULL,
    "slug" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "limits" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "tenants_slug_key" ON "tenants"("slug");
CREATE INDEX "tenants_created_at_id_idx" ON "tenants"("created_at" DESC, "id" DESC);

CREATE TABLE "api_keys" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "agent_id" TEXT,
    "sha256" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "api_keys_role_check" CHECK ("role" IN ('owner', 'developer', 'agent', 'viewer')),
    CONSTRAINT "api_keys_sha256_check" CHECK ("sha256" ~ '^[0-9a-f]{64}$')
);
CREATE UNIQUE INDEX "api_keys_sha256_key" ON "api_keys"("sha256");
CREATE INDEX "api_keys_tenant_id_created_at_id_idx" ON "api_keys"("tenant_id", "created_at" DESC, "id" DESC);
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tenant_id_fkey"
    FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "tools" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "description" TEXT NOT NULL,
    "category" TEXT,
    "status" TEXT NOT NULL,
    "requires_approval" BOOLEAN NOT NULL,
    "idempotent" BOOLEAN NOT NULL,
    "created_by" TEXT NOT NULL,
    "metadata" JSON,
    "required_api_keys" JSON NOT NULL,
    "version" INTEGER NOT NULL,
    "usage_count" BIGINT NOT NULL DEFAULT 0,
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tools_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "tools_id_check" CHECK ("id" ~ '^tool_[0-9a-f]{16}$'),
    -- A reference is an id or a name, so no name may look like an id.
    CONSTRAINT "tools_name_check" CHECK ("name" !~ '^tool_[0-9a-f]{16}$'),
    CONSTRAINT "tools_status_check" CHECK ("status" IN ('active', 'disabled', 'pending_approval', 'rejected')),
    CONSTRAINT "tools_created_by_check" CHECK ("created_by" IN ('user', 'llm')),
    CONSTRAINT "tools_version_check" CHECK ("version" >= 1)
) WITH (fillfactor = 80); -- Room on the page for the counter of usage, which changes with every batch of executions.
CREATE UNIQUE INDEX "tools_tenant_id_name_key" ON "tools"("tenant_id", "name");
CREATE INDEX "tools_tenant_id_created_at_id_idx" ON "tools"("tenant_id", "created_at" DESC, "id" DESC);
CREATE INDEX "tools_tenant_id_status_idx" ON "tools"("tenant_id", "status");
ALTER TABLE "tools" ADD CONSTRAINT "tools_tenant_id_fkey"
    FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "tool_versions" (
    "tool_id" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "parameters" JSON NOT NULL,
    "permissions" TEXT[] NOT NULL,
    "limits" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tool_versions_pkey" PRIMARY KEY ("tool_id", "version")
);
ALTER TABLE "tool_versions" ADD CONSTRAINT "tool_versions_tool_id_fkey"
    FOREIGN KEY ("tool_id") REFERENCES "tools"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is immutable', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER "tool_versions_immutable" BEFORE UPDATE ON "tool_versions"
    FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

-- Without a foreign key to tools: a tool that is deleted leaves its executions behind.
CREATE TABLE "executions" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "tool_id" TEXT COLLATE "C",
    "tool_name" TEXT COLLATE "C" NOT NULL,
    "tool_version" INTEGER NOT NULL,
    "inline_tool" JSON,
    "status" TEXT COLLATE "C" NOT NULL DEFAULT 'queued',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "idempotent" BOOLEAN NOT NULL,
    "effects" BOOLEAN NOT NULL DEFAULT false,
    "worker_id" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "arguments" JSON NOT NULL,
    "context" JSON NOT NULL,
    "result" JSON,
    "error" JSON,
    "usage" JSON,
    "timings" JSON,
    "requested_by" TEXT NOT NULL,
    "trace_id" TEXT NOT NULL,
    "end_event_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "deadline_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "executions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "executions_status_check" CHECK ("status" IN ('awaiting_approval', 'queued', 'running',
        'succeeded', 'failed', 'timed_out', 'cancelled', 'denied', 'lost')),
    CONSTRAINT "executions_attempt_check" CHECK ("attempt" >= 0),
    CONSTRAINT "executions_tool_check" CHECK (("tool_id" IS NULL) = ("inline_tool" IS NOT NULL)),
    CONSTRAINT "executions_lease_check" CHECK (("status" = 'running') = ("lease_until" IS NOT NULL)),
    CONSTRAINT "executions_end_check" CHECK (
        ("status" IN ('awaiting_approval', 'queued', 'running')) = ("finished_at" IS NULL)
        AND ("finished_at" IS NULL) = ("end_event_id" IS NULL))
) PARTITION BY RANGE ("id");
CREATE INDEX "executions_tenant_id_id_idx" ON "executions"("tenant_id", "id" DESC);
CREATE INDEX "executions_tenant_id_tool_id_id_idx" ON "executions"("tenant_id", "tool_id", "id" DESC);
CREATE INDEX "executions_tenant_id_status_id_idx" ON "executions"("tenant_id", "status", "id" DESC);
-- The sweeps: what waits too long, what is past its deadline, whose holder is gone.
CREATE INDEX "executions_queued_idx" ON "executions"("id") WHERE "status" = 'queued';
CREATE INDEX "executions_deadline_idx" ON "executions"("deadline_at")
    WHERE "status" IN ('queued', 'awaiting_approval');
CREATE INDEX "executions_lease_idx" ON "executions"("lease_until") WHERE "status" = 'running';

-- The safety net: what finds no partition of its week lands here.
CREATE TABLE "executions_default" PARTITION OF "executions" DEFAULT;

-- The smallest id that an execution made at this moment can have.
CREATE FUNCTION "execution_id_floor"("at" timestamptz) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT 'exe_' || lpad(to_hex(floor(extract(epoch FROM "at") * 1000)::bigint), 12, '0')
$$;

-- Makes the partitions of last week (clocks differ), this week and the `weeks` weeks to come, as far as they are
-- missing, and moves what had landed in the default partition meanwhile. Answers how many it made. Weeks start on
-- Monday, UTC. Called at once by several, one does it and the others then find it done.
CREATE FUNCTION "ensure_execution_partitions"("weeks" integer) RETURNS integer LANGUAGE plpgsql
-- A long query on the default partition must not make everybody else queue up behind this one.
SET lock_timeout = '5s' AS $$
DECLARE
    this_week constant timestamptz := date_trunc('week', now(), 'UTC');
    starts timestamptz;
    part text;
    lower_bound text;
    upper_bound text;
    made integer := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('bulkhead.execution_partitions', 0));
    FOR i IN -1 .. "weeks" LOOP
        starts := this_week + i * interval '168 hours';
        part := 'executions_' || to_char(starts AT TIME ZONE 'UTC', 'YYYYMMDD');
        CONTINUE WHEN to_regclass(part) IS NOT NULL;
        lower_bound := "execution_id_floor"(starts);
        upper_bound := "execution_id_floor"(starts + interval '168 hours');
        -- The order in which an INSERT locks; from here on nothing new lands in the default partition.
        LOCK TABLE ONLY "executions" IN SHARE UPDATE EXCLUSIVE MODE;
        LOCK TABLE "executions_default" IN ACCESS EXCLUSIVE MODE;
        EXECUTE format('CREATE TABLE %I (LIKE "executions" INCLUDING ALL)', part);
        EXECUTE format('WITH moved AS (DELETE FROM "executions_default" WHERE "id" >= %L AND "id" < %L RETURNING *) '
            'INSERT INTO %I SELECT * FROM moved', lower_bound, upper_bound, part);
        EXECUTE format('ALTER TABLE "executions" ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
            part, lower_bound, upper_bound);
        made := made + 1;
    END LOOP;
    RETURN made;
END
$$;
