-- The services that a version may ask for, by name, sorted and each once.
ALTER TABLE "tool_versions" ADD COLUMN "services" TEXT[] COLLATE "C" NOT NULL DEFAULT '{}';

-- What the tool tells of the services it needs, beside "required_api_keys".
ALTER TABLE "tools" ADD COLUMN "required_config_services" JSON NOT NULL DEFAULT '[]';

-- Outside services that tools use.
CREATE TABLE "config_services" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "display_name" TEXT,
    "description" TEXT,
    "category" TEXT,
    "docs_url" TEXT,
    "multi_entry" BOOLEAN NOT NULL,
    "config_schema" JSON NOT NULL,
    -- NULL: the host of base_url, else those of the code.
    "allowed_hosts" TEXT[] COLLATE "C",
    "code_hosts" TEXT[] COLLATE "C" NOT NULL DEFAULT '{}',
    "delivery" TEXT COLLATE "C" NOT NULL,
    "exchange_in_body" BOOLEAN NOT NULL,
    -- The entry that is meant where none is named.
    "default_label" TEXT COLLATE "C",
    -- The tool that registered it, without a foreign key: the service may outlive it.
    "registered_by" TEXT COLLATE "C",
    -- A person made, changed or filled it: it stays when no tool needs it any more.
    "kept" BOOLEAN NOT NULL,
    -- How often tools have asked for it: a release is for the number it has seen.
    "declarations" INTEGER NOT NULL DEFAULT 1,
    -- Rises with every change of it and of its entries.
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "config_services_pkey" PRIMARY KEY ("tenant_id", "name"),
    CONSTRAINT "config_services_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "config_services_delivery_check" CHECK ("delivery" IN ('placeholder', 'reveal'))
);

-- Sets of values of a service.
CREATE TABLE "config_entries" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "service" TEXT COLLATE "C" NOT NULL,
    "label" TEXT COLLATE "C" NOT NULL,
    -- By field: what may be shown.
    "values" JSON NOT NULL,
    -- By field: the sealed value, when it was set and by which key, and what may be shown of it.
    "secrets" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "config_entries_pkey" PRIMARY KEY ("tenant_id", "service", "label"),
    CONSTRAINT "config_entries_service_fkey" FOREIGN KEY ("tenant_id", "service")
        REFERENCES "config_services"("tenant_id", "name") ON DELETE CASCADE ON UPDATE CASCADE
);

-- What a tenant wants covered besides its secrets.
CREATE TABLE "scrub_rules" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "pattern" TEXT,
    -- The value of a rule that has no pattern.
    "sealed" TEXT,
    "whole_words_only" BOOLEAN NOT NULL,
    "created_by" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scrub_rules_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "scrub_rules_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "scrub_rules_what_check" CHECK (("pattern" IS NULL) = ("sealed" IS NOT NULL))
);
CREATE UNIQUE INDEX "scrub_rules_tenant_id_name_key" ON "scrub_rules"("tenant_id", "name");

-- How often something was covered, by what found it.
CREATE TABLE "scrub_counts" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "scrub_counts_pkey" PRIMARY KEY ("tenant_id", "kind"),
    CONSTRAINT "scrub_counts_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
