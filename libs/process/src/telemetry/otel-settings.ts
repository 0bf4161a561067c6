import { url, wholeNumber } from "../settings/fields.ts";
import { z } from "zod";
import { otlpHeaders } from "./otlp-headers.ts";

/** OTLP over HTTP is what the exporters here speak; a collector takes it on port 4318 as a rule. */
const protocol = z.enum(["http/protobuf", "http/json"]);

export const compression = z.enum(["none", "gzip"]);
/** For one request; milliseconds. */
export const timeoutMs = wholeNumber(1, 60_000);

/** In upper or lower case, as the exporter reads it. */
const temporality = z
  .string()
  .toLowerCase()
  .pipe(z.enum(["cumulative", "delta", "lowmemory"]));

/** OpenTelemetry takes its booleans in upper and lower case. */
const boolean = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.enum(["true", "false"]));

/** Of a collector; a user name and a password in it are percent-encoded, as everything in a URL that is not plain. */
export const endpoint = url("http:", "https:")
  .refine((address) => credentialsOf(address.reveal()) !== null, {
    message: "must have its user name and password percent-encoded (% itself is %25)",
  })
  .optional();

/** The user name and password of an address, decoded; null where they can't be decoded. */
export function credentialsOf(address: string): { username: string; password: string } | null {
  const { username, password } = new URL(address);
  try {
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return null;
  }
}

/** The variables that count: where the SDK is disabled, its others are left out, so that not even bad ones are told. */
export const otelEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  boolean.safeParse(env["OTEL_SDK_DISABLED"]).data === "true"
    ? Object.fromEntries(
        Object.entries(env).filter(([name]) => name === "OTEL_SDK_DISABLED" || !name.startsWith("OTEL_")),
      )
    : env;

/** The standard variables that say whether a process tells a collector of itself; spread into an app's settings. */
export const otelSettings = {
  OTEL_SDK_DISABLED: boolean.default("false"),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.default("http/protobuf"),
};

/** The same for metrics alone. Headers, compression and temporality the exporter reads itself, and passes over bad ones in silence. */
export const otelMetricSettings = {
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol.optional(),
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: otlpHeaders.optional(),
  OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: timeoutMs.optional(),
  OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: compression.optional(),
  OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: temporality.optional(),
  /** `prometheus` is always there, at `GET /metrics`. */
  OTEL_METRICS_EXPORTER: z.enum(["otlp", "prometheus", "none"]).default("otlp"),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumber(100, 3_600_000).default(60_000),
};

type Settings = z.output<z.ZodObject<typeof otelSettings & typeof otelMetricSettings>>;

/** How metrics are pushed to the collector that the environment names. */
export interface PushPlan {
  /** Milliseconds. */
  everyMs: number;
  protocol: z.output<typeof protocol>;
}

/** Null where metrics are not pushed: nobody named a collector, or something says no. */
export function pushPlan(settings: Readonly<Settings>): PushPlan | null {
  const collector = settings.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isWanted = settings.OTEL_METRICS_EXPORTER === "otlp" && settings.OTEL_SDK_DISABLED === "false";
  if (collector === undefined || !isWanted) return null;
  return {
    everyMs: settings.OTEL_METRIC_EXPORT_INTERVAL,
    protocol: settings.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ?? settings.OTEL_EXPORTER_OTLP_PROTOCOL,
  };
}
