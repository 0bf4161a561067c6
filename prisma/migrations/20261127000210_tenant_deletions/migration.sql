-- A tenant that is being deleted: since when, what has gone so far, and when a worker may go on with it.
ALTER TABLE "tenants"
    ADD COLUMN "deleting_at" TIMESTAMPTZ(3),
    -- By kind, how many.
    ADD COLUMN "deleted_rows" JSONB NOT NULL DEFAULT '{}',
    ADD COLUMN "deletion_due_at" TIMESTAMPTZ(6),
    ADD CONSTRAINT "tenants_deletion_check" CHECK (("deleting_at" IS NULL) = ("deletion_due_at" IS NULL));
CREATE INDEX "tenants_deletion_due_idx" ON "tenants"("deletion_due_at") WHERE "deleting_at" IS NOT NULL;

-- Entries go by age, or with their tenant, and then all but the one that says who deleted it.
CREATE OR REPLACE FUNCTION "keep_audit_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('bulkhead.audit_retention', true) = 'on' AND OLD."at" < now() - interval '30 days' THEN
        RETURN OLD;
    END IF;
    IF current_setting('bulkhead.audit_of_tenant', true) = OLD."tenant_id" AND OLD."action" <> 'tenant.deleted'
        AND EXISTS (SELECT FROM "tenants" WHERE "id" = OLD."tenant_id" AND "deleting_at" IS NOT NULL) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% only grows', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;

-- Deletes up to at_once entries of a tenant that is being deleted; how many there were.
CREATE FUNCTION "drop_audit_entries_of"("of_tenant" TEXT, "at_once" INTEGER) RETURNS INTEGER
LANGUAGE plpgsql AS $$
DECLARE
    dropped INTEGER;
BEGIN
    PERFORM set_config('bulkhead.audit_of_tenant', "of_tenant", true);
    DELETE FROM "audit_entries" WHERE "id" IN (
        SELECT "id" FROM "audit_entries" WHERE "tenant_id" = "of_tenant" AND "action" <> 'tenant.deleted' LIMIT "at_once");
    GET DIAGNOSTICS dropped = ROW_COUNT;
    PERFORM set_config('bulkhead.audit_of_tenant', '', true);
    RETURN dropped;
END
$$;
