import { parseEgressAllow } from "@bulkhead/egress";
import { redisUrlFault } from "@bulkhead/redis/url";
import {
  apiKey,
  checkedUrl,
  databaseUrl,
  host,
  logLevel,
  masterKey,
  oldMasterKeys,
  port,
  readSettings,
  ruleList,
  wholeNumber,
} from "@bulkhead/process/settings";
import {
  otelEnvironment,
  otelMetricSettings,
  otelSettings,
  otelTraceSettings,
} from "@bulkhead/process/telemetry";
import { z } from "zod";

const Settings = z.object({
  HOST: host.default("127.0.0.1"),
  PORT: port.default(3_000),
  DATABASE_URL: databaseUrl,
  REDIS_URL: checkedUrl(redisUrlFault),
  /** Group commit needs few connections; more would only compete for the same disk. */
  DATABASE_POOL_MAX: wholeNumber(1, 200).default(8),
  BULKHEAD_MASTER_KEY: masterKey,
  BULKHEAD_MASTER_KEY_OLD: oldMasterKeys,
  /** As the workers have it. */
  DISPATCH_SHARDS: wholeNumber(1, 64).default(1),
  /** As the workers have it: a callback that they would never let out is refused when it is asked for. */
  EGRESS_ALLOW: ruleList(parseEgressAllow),
  BULKHEAD_ADMIN_KEY: apiKey.optional(),
  BULKHEAD_DEMO_KEY: apiKey.optional(),
  /** Where this process serves its metrics. */
  METRICS_HOST: host.default("127.0.0.1"),
  METRICS_PORT: port.default(9_464),
  ...otelSettings,
  ...otelMetricSettings,
  ...otelTraceSettings,
  LOG_LEVEL: logLevel.default("info"),
  /** How long requests that wait for a result may go on after the order to stop. */
  SHUTDOWN_GRACE_MS: wholeNumber(0, 600_000).default(5_000),
  BULKHEAD_WATCH_PARENT: z.enum(["0", "1"]).default("0"),
});

export type ApiConfig = ReturnType<typeof readConfig>;

/** Throws a SettingsError that names every bad setting. */
export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(Settings, otelEnvironment(env));
