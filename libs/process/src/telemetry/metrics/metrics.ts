import { EXECUTION_METRICS } from "./executions.ts";
import { HTTP_METRICS } from "./http.ts";
import { MCP_SERVER_METRICS } from "./mcp-servers.ts";
import type { MetricFact } from "./metric-fact.ts";
import { PROCESS_METRICS } from "./process.ts";
import { SANDBOX_METRICS } from "./sandbox.ts";

/** Every metric that a process may export; METRICS.md shows it. */
export const METRICS = {
  ...HTTP_METRICS,
  ...EXECUTION_METRICS,
  ...SANDBOX_METRICS,
  ...MCP_SERVER_METRICS,
  ...PROCESS_METRICS,
} as const satisfies Record<string, MetricFact>;

type All = typeof METRICS;

/** The names of one type of metric. */
export type MetricName<Type extends MetricFact["type"] = MetricFact["type"]> = {
  [Name in keyof All]: All[Name]["type"] extends Type ? Name : never;
}[keyof All];

/** The description of a metric. */
export const factOf = (name: MetricName): MetricFact => METRICS[name];
