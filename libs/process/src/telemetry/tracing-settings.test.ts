import { readSettings, SettingsError } from "../settings/settings.ts";
import { expect, test } from "vitest";
import { z } from "zod";
import { otelSettings } from "./otel-settings.ts";
import { otelTraceSettings, spanDestination } from "./tracing-settings.ts";

const read = (env: Record<string, string>) =>
  readSettings(z.object({ ...otelSettings, ...otelTraceSettings }), env);

const destinationOf = (env: Record<string, string>) => {
  const to = spanDestination(read(env));
  return to && { ...to, headers: to.headers.map(([name, value]) => [name, value.reveal()]) };
};

const COLLECTOR = "http://collector.example:4318";

test.each<[string, Record<string, string>]>([
  ["nothing is set", {}],
  ["only a sampler is", { OTEL_TRACES_SAMPLER: "always_on", OTEL_TRACES_EXPORTER: "otlp" }],
  ["the SDK is disabled", { OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR, OTEL_SDK_DISABLED: "true" }],
  ["no exporter is wanted", { OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR, OTEL_TRACES_EXPORTER: "none" }],
])("tracing is off where %s", (_what, env) => {
  expect(destinationOf(env)).toBeNull();
});

test("the common endpoint has a path for each signal, under its own path", () => {
  expect(destinationOf({ OTEL_EXPORTER_OTLP_ENDPOINT: `${COLLECTOR}/otel/` })).toEqual({
    url: `${COLLECTOR}/otel/v1/traces`,
    protocol: "http/protobuf",
    headers: [],
    timeoutMs: 10_000,
    compression: "none",
  });
});

test("what is said of traces wins over what is said of all", () => {
  expect(
    destinationOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/take",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: "a=1",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "authorization=Basic%20eDp5, b = 2 ",
      OTEL_EXPORTER_OTLP_TIMEOUT: "9000",
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "8000",
      OTEL_BSP_EXPORT_TIMEOUT: "7000",
      OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: "gzip",
    }),
  ).toEqual({
    url: "https://traces.example/take",
    protocol: "http/json",
    headers: [
      ["authorization", "Basic eDp5"],
      ["b", "2"],
    ],
    timeoutMs: 7_000,
    compression: "gzip",
  });
});

test("a user name in the endpoint becomes a header, so that no message names it", () => {
  const to = destinationOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://me:pass%20word@traces.example/" });
  expect(to?.url).toBe("https://traces.example/");
  expect(to?.headers).toEqual([["authorization", `Basic ${btoa("me:pass word")}`]]);
});

test.each([
  ["OTEL_SDK_DISABLED", "perhaps"],
  ["OTEL_TRACES_EXPORTER", "zipkin"],
  ["OTEL_TRACES_SAMPLER", "jaeger_remote"],
  ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
  ["OTEL_TRACES_SAMPLER_ARG", "half"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317"],
  ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "grpc://collector:4317"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:b%zz@h:4318"],
  ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://a%zz@h:4318"],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
  ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "grpc"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "no-value-key-1234"],
  ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "name=two%0D%0Alines"],
  ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "name=%E0%A4%A"],
  ["OTEL_EXPORTER_OTLP_TIMEOUT", "0"],
  ["OTEL_EXPORTER_OTLP_COMPRESSION", "zstd"],
  ["OTEL_BSP_SCHEDULE_DELAY", "0"],
  ["OTEL_BSP_MAX_QUEUE_SIZE", "1000000"],
])("a bad %s is told by name, without its value where that may be a credential", (name, value) => {
  const reading = () => read({ [name]: value });
  expect(reading).toThrow(SettingsError);
  expect(reading).toThrow(name);
  if (name.endsWith("HEADERS") || value.includes("@")) expect(reading).not.toThrow(value);
});
