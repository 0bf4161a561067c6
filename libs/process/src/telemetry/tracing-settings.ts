import { Secret, wholeNumber } from "../settings/fields.ts";
import { z } from "zod";
import { compression, credentialsOf, endpoint, timeoutMs, type otelSettings } from "./otel-settings.ts";
import { otlpHeaders } from "./otlp-headers.ts";

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const ratio = z
  .string()
  .regex(/^\d*\.?\d+$/, "must be a number from 0 to 1")
  .transform(Number)
  .refine((value) => value <= 1, "must be a number from 0 to 1");

const protocol = z.enum(
  ["http/protobuf", "http/json"],
  "must be http/protobuf or http/json; a collector takes OTLP over HTTP on port 4318 as a rule",
);

/** The settings of tracing beside `otelSettings`, under the names and with the defaults that OpenTelemetry gives them. */
export const otelTraceSettings = {
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"]).default("otlp"),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default("parentbased_always_on"),
  /** The share of the traces that begin here and are recorded. */
  OTEL_TRACES_SAMPLER_ARG: ratio.default(1),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders.default([]),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: otlpHeaders.optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: timeoutMs.default(10_000),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: timeoutMs.optional(),
  OTEL_EXPORTER_OTLP_COMPRESSION: compression.default("none"),
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: compression.optional(),
  /** Between two exports, in milliseconds. */
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(1, 60_000).default(5_000),
  /** The longest time of one export, in milliseconds. */
  OTEL_BSP_EXPORT_TIMEOUT: wholeNumber(1, 60_000).default(30_000),
  /** Spans that wait for an export; those beyond are dropped. */
  OTEL_BSP_MAX_QUEUE_SIZE: wholeNumber(1, 65_536).default(2_048),
  /** Spans in one request; no more than the queue holds are ever in one. */
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: wholeNumber(1, 65_536).default(512),
};

export type TracingSettings = Readonly<z.output<z.ZodObject<typeof otelSettings & typeof otelTraceSettings>>>;

/** The collector that spans are sent to, and how they are sent. */
export interface SpanDestination {
  url: string;
  protocol: z.output<typeof protocol>;
  headers: readonly (readonly [string, Secret])[];
  /** For one request, to its answer; milliseconds. */
  timeoutMs: number;
  compression: z.output<typeof compression>;
}

/** Null where tracing is off: it is on where an endpoint is named and nothing says no. */
export function spanDestination(settings: TracingSettings): SpanDestination | null {
  if (settings.OTEL_SDK_DISABLED === "true" || settings.OTEL_TRACES_EXPORTER === "none") return null;
  const address = addressOf(settings);
  if (address === null) return null;
  const headers = settings.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? settings.OTEL_EXPORTER_OTLP_HEADERS;
  const asked = settings.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? settings.OTEL_EXPORTER_OTLP_TIMEOUT;
  return {
    url: address.url,
    protocol: settings.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? settings.OTEL_EXPORTER_OTLP_PROTOCOL,
    headers: [...address.headers, ...headers],
    timeoutMs: Math.min(asked, settings.OTEL_BSP_EXPORT_TIMEOUT),
    compression: settings.OTEL_EXPORTER_OTLP_TRACES_COMPRESSION ?? settings.OTEL_EXPORTER_OTLP_COMPRESSION,
  };
}

/** The signal's own endpoint is taken as it is; under the common one each signal has a path. A user name becomes a header. */
function addressOf(settings: TracingSettings) {
  const own = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.reveal();
  const common = settings.OTEL_EXPORTER_OTLP_ENDPOINT?.reveal().replace(/\/$/, "");
  const said = own ?? (common === undefined ? null : `${common}/v1/traces`);
  if (said === null) return null;
  const address = new URL(said);
  // The settings hold no address with others.
  const { username, password } = credentialsOf(said) ?? { username: "", password: "" };
  address.username = "";
  address.password = "";
  if (username === "" && password === "") return { url: address.href, headers: [] };
  const credentials = Buffer.from(`${username}:${password}`);
  const basic = new Secret(`Basic ${credentials.toString("base64")}`);
  return { url: address.href, headers: [["authorization", basic] as const] };
}
