-- Whether the defaults of its parameters are filled in; NULL: as the tenant's settings say.
ALTER TABLE "tools" ADD COLUMN "apply_defaults" BOOLEAN;
