export { openMetrics, type Metrics, type OpenMetricsInput } from "./open-metrics.ts";
export { productVersion } from "./product-version.ts";
export type { Meter } from "@opentelemetry/api";
