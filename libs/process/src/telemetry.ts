export type { Meter } from "@opentelemetry/api";
export {
  NO_METER,
  countBy,
  counterOf,
  gaugeOf,
  histogramOf,
  observedCounterOf,
  timeBy,
} from "./telemetry/instruments.ts";
export { Headroom, watchHeadroom } from "./telemetry/machine-headroom.ts";
export type { MetricFact } from "./telemetry/metrics/metric-fact.ts";
export { METRICS } from "./telemetry/metrics/metrics.ts";
export { openLogger } from "./telemetry/open-logger.ts";
export { openMetrics } from "./telemetry/open-metrics.ts";
export { openTracing } from "./telemetry/open-tracing.ts";
export { pushPlan } from "./telemetry/otel-settings.ts";
export { measurePool } from "./telemetry/pool-gauges.ts";
export { productVersion } from "./telemetry/resource.ts";
export { shownError } from "./telemetry/shown-error.ts";
export { type TracePlace, readTraceparent, writeTraceparent } from "./telemetry/trace-context.ts";
export {
  NO_SPAN,
  NO_TRACING,
  PLATFORM_ERROR,
  type SpanAttributes,
  type SpanOptions,
  type TraceSpan,
  type Tracing,
  within,
} from "./telemetry/trace-span.ts";
export { prettyLines } from "./telemetry/pretty-lines.ts";
