-- Who did what in a tenant. Without a foreign key: what was done outlives its subject, and those who did it.
CREATE TABLE "audit_entries" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    -- Of the database's clock, taken anew for each row, so that the entries of all processes have one order.
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "action" TEXT COLLATE "C" NOT NULL,
    "subject_type" TEXT COLLATE "C" NOT NULL,
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "subject_name" TEXT,
    "role" TEXT COLLATE "C" NOT NULL,
    -- NULL: the platform itself, which has no key and serves no request.
    "key_id" TEXT COLLATE "C",
    "agent_id" TEXT,
    "request_id" TEXT COLLATE "C",
    "before_hash" TEXT COLLATE "C",
    "after_hash" TEXT COLLATE "C",
    "details" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "audit_entries_actor_check" CHECK (("role" = 'platform') = ("key_id" IS NULL))
);
CREATE INDEX "audit_entries_tenant_id_at_id_idx" ON "audit_entries"("tenant_id", "at" DESC, "id" DESC);
CREATE INDEX "audit_entries_subject_idx" ON "audit_entries"("tenant_id", "subject_id", "at" DESC, "id" DESC);
CREATE INDEX "audit_entries_at_idx" ON "audit_entries"("at");

CREATE TRIGGER "audit_entries_unchanged" BEFORE UPDATE ON "audit_entries"
    FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "audit_entries_not_emptied" BEFORE TRUNCATE ON "audit_entries"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- Only drop_old_audit_entries deletes, and even it nothing of the last 30 days (AUDIT_RETENTION_DAYS_MIN).
CREATE FUNCTION "keep_audit_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('bulkhead.audit_retention', true) = 'on' AND OLD."at" < now() - interval '30 days' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% only grows', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER "audit_entries_kept" BEFORE DELETE ON "audit_entries"
    FOR EACH ROW EXECUTE FUNCTION "keep_audit_entry"();

-- Deletes up to at_once entries that are older than so many days, the oldest first; how many there were.
CREATE FUNCTION "drop_old_audit_entries"("older_than_days" INTEGER, "at_once" INTEGER) RETURNS INTEGER
LANGUAGE plpgsql AS $$
DECLARE
    dropped INTEGER;
BEGIN
    PERFORM set_config('bulkhead.audit_retention', 'on', true);
    DELETE FROM "audit_entries" WHERE "id" IN (
        SELECT "id" FROM "audit_entries"
        WHERE "at" < now() - make_interval(days => greatest("older_than_days", 30))
        ORDER BY "at" LIMIT "at_once");
    GET DIAGNOSTICS dropped = ROW_COUNT;
    PERFORM set_config('bulkhead.audit_retention', 'off', true);
    RETURN dropped;
END
$$;
