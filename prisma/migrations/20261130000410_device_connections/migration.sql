-- Connections of devices are numbered as they are let in: what a device says it offers counts by its latest one alone.

CREATE SEQUENCE "device_connections";
ALTER TABLE "devices" ADD COLUMN "connection" BIGINT NOT NULL DEFAULT 0;
