-- What a service is: an API that tools ask themselves, or a database or a channel that the platform asks for them.
ALTER TABLE "config_services" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'api';
