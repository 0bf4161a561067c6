-- Why a person rejected a version, for whoever proposed it.
ALTER TABLE "version_reviews" ADD COLUMN "reason" TEXT;
