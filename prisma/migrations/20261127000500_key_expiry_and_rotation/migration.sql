-- When a key ends by itself and when it was last used; and its secret before the present one, for as long as both open something.
ALTER TABLE "api_keys"
    ADD COLUMN "expires_at" TIMESTAMPTZ(3),
    ADD COLUMN "last_used_at" TIMESTAMPTZ(3),
    ADD COLUMN "former_sha256" TEXT,
    ADD COLUMN "former_until" TIMESTAMPTZ(3),
    ADD CONSTRAINT "api_keys_former_check" CHECK (("former_sha256" IS NULL) = ("former_until" IS NULL));
CREATE UNIQUE INDEX "api_keys_former_sha256_key" ON "api_keys"("former_sha256");
