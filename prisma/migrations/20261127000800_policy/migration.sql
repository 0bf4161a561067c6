-- Which tools a tenant's agents get; its version is zero where there is no document. A constant default rewrites no row, and
-- builds that know neither column leave both as they are.
ALTER TABLE "tenants" ADD COLUMN "policy" JSONB, ADD COLUMN "policy_version" INTEGER NOT NULL DEFAULT 0;
