import { readSettings } from "../settings/settings.ts";
import { expect, test } from "vitest";
import { z } from "zod";
import { otelEnvironment, otelMetricSettings, otelSettings, pushPlan } from "./otel-settings.ts";

const Settings = z.object({ ...otelSettings, ...otelMetricSettings });
const planOf = (env: NodeJS.ProcessEnv) => pushPlan(readSettings(Settings, env));
const COLLECTOR = "http://127.0.0.1:4318";

test.each<[string, NodeJS.ProcessEnv]>([
  ["nobody names a collector", {}],
  ["an interval alone", { OTEL_METRIC_EXPORT_INTERVAL: "1000" }],
  ["no exporter", { OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR, OTEL_METRICS_EXPORTER: "none" }],
  ["scrapes only", { OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR, OTEL_METRICS_EXPORTER: "prometheus" }],
  ["all of it is off", { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: COLLECTOR, OTEL_SDK_DISABLED: "true" }],
])("metrics are not pushed: %s", (_why, env) => {
  expect(planOf(env)).toBeNull();
});

test("a collector for all, or for metrics alone, is told once a minute unless said otherwise", () => {
  expect(planOf({ OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR })).toEqual({
    everyMs: 60_000,
    protocol: "http/protobuf",
  });
  const own = {
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${COLLECTOR}/v1/metrics`,
    OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "http/json",
    OTEL_METRIC_EXPORT_INTERVAL: "5000",
  };
  expect(planOf(own)).toEqual({ everyMs: 5_000, protocol: "http/json" });
});

test("where the SDK is disabled no other variable of its is looked at", () => {
  const bad = { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_METRIC_EXPORT_INTERVAL: "1s", PORT: "1" };
  for (const yes of ["true", "TRUE", "True"]) {
    const off = { OTEL_SDK_DISABLED: yes, PORT: "1" };
    expect(otelEnvironment({ ...bad, ...off })).toEqual(off);
  }
  expect(otelEnvironment({ ...bad, OTEL_SDK_DISABLED: "false" })).toEqual({
    ...bad,
    OTEL_SDK_DISABLED: "false",
  });
});

test.each([
  ["TRUE", "true"],
  ["True", "true"],
  ["FALSE", "false"],
])("OTEL_SDK_DISABLED=%s means %s", (text, meant) => {
  expect(readSettings(Settings, { OTEL_SDK_DISABLED: text }).OTEL_SDK_DISABLED).toBe(meant);
});

test("what the exporter takes for metrics is taken", () => {
  const env = {
    OTEL_EXPORTER_OTLP_METRICS_HEADERS: "authorization=Basic%20eDp5",
    OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: "2000",
    OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: "gzip",
    OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "LowMemory",
  };
  expect(() => readSettings(Settings, env)).not.toThrow();
});

test("every bad setting is told by its name, and no address, which may hold a password", () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://user:secret@collector",
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    OTEL_METRICS_EXPORTER: "console",
    OTEL_METRIC_EXPORT_INTERVAL: "1s",
    OTEL_EXPORTER_OTLP_METRICS_HEADERS: "secret-without-a-name",
    OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: "0",
    OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: "zstd",
    OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "sometimes",
  };
  let said = "";
  try {
    planOf(env);
  } catch (error) {
    said = String(error);
  }
  for (const name of Object.keys(env)) expect(said).toContain(`${name}: `);
  expect(said).not.toContain("secret");
});
