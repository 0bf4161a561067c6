export {
  countBy,
  counterOf,
  gaugeOf,
  histogramOf,
  LabelValues,
  observedCounterOf,
  timeBy,
} from "./instruments.ts";
export { Headroom, watchHeadroom } from "./machine-headroom.ts";
export type { MetricFact } from "./metrics/metric-fact.ts";
export { METRICS } from "./metrics/metrics.ts";
export { openMetrics, type Metrics, type OpenMetricsInput } from "./open-metrics.ts";
export { otelEnvironment, otelMetricSettings, otelSettings, pushPlan } from "./otel-settings.ts";
export { NO_METER } from "./no-meter.ts";
export { measurePool, type PoolConnections } from "./pool-gauges.ts";
export { openLogger, type OpenedLogger, type OpenLoggerInput } from "./open-logger.ts";
export { prettyLines } from "./pretty-lines.ts";
export { openTracing, type OpenedTracing, type OpenTracingInput } from "./open-tracing.ts";
export { productVersion } from "./product-version.ts";
export { readTraceparent, writeTraceparent, type TracePlace } from "./trace-context.ts";
export {
  NO_SPAN,
  NO_TRACING,
  PLATFORM_ERROR,
  within,
  type SpanAttributes,
  type SpanOptions,
  type TraceSpan,
  type Tracing,
} from "./trace-span.ts";
export { shownError } from "./shown-error.ts";
export { otelTraceSettings, type TracingSettings } from "./tracing-settings.ts";
export type { Meter } from "@opentelemetry/api";
