import { expect, it } from "vitest";
import { readConfig } from "./config.ts";

const STORES = {
  DATABASE_URL: "postgres://localhost/b",
  REDIS_URL: "redis://localhost",
  BULKHEAD_MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
};

it("OTEL_SDK_DISABLED leaves nothing of OpenTelemetry that could stop a start", () => {
  const env = { ...STORES, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
  expect(() => readConfig(env)).toThrow(/OTEL_EXPORTER_OTLP_PROTOCOL/);
  expect(readConfig({ ...env, OTEL_SDK_DISABLED: "true" }).OTEL_SDK_DISABLED).toBe("true");
});

it("every required setting that is not there is told as that, with what it must be", () => {
  const read = (): unknown => readConfig({ REDIS_URL: "" });
  expect(read).toThrow(/^ {2}DATABASE_URL: is not set; it must be a URL .* as in postgres:/mu);
  expect(read).toThrow(/^ {2}REDIS_URL: is not set; it must be a URL of the form redis:/mu);
  expect(read).toThrow(/^ {2}BULKHEAD_MASTER_KEY: is not set; it must be 32 random bytes/mu);
  expect(read).not.toThrow(/Invalid/);
});
