-- How often the version that runs was convicted of killing its sandbox process, and why a tool stands as it does.
ALTER TABLE "tools"
    ADD COLUMN "convictions" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "status_reason" TEXT;
