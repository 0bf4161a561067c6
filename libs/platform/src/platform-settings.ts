import { parseEgressAllow } from "@bulkhead/egress/allow";
import {
  checkedUrl,
  databaseUrl,
  host,
  logLevel,
  masterKey,
  oldMasterKeys,
  otelMetricSettings,
  otelSettings,
  otelTraceSettings,
  port,
  ruleList,
  wholeNumber,
} from "@bulkhead/process/settings";
import { redisUrlFault } from "@bulkhead/redis/url";
import { z } from "zod";

const SHARED = {
  DATABASE_URL: databaseUrl,
  REDIS_URL: checkedUrl(redisUrlFault),
  /** Group commit needs few connections; more would only compete for the same disk. */
  DATABASE_POOL_MAX: wholeNumber(1, 200).default(8),
  BULKHEAD_MASTER_KEY: masterKey,
  BULKHEAD_MASTER_KEY_OLD: oldMasterKeys,
  /** Parts of the dispatcher, the same in every process; each tenant's executions go through one of them. */
  DISPATCH_SHARDS: wholeNumber(1, 64).default(1),
  /** Private hosts that tools may reach all the same. The API refuses a callback that the workers would never let out. */
  EGRESS_ALLOW: ruleList(parseEgressAllow),
  /** Each process serves its metrics here. */
  METRICS_HOST: host.default("127.0.0.1"),
  ...otelSettings,
  ...otelMetricSettings,
  ...otelTraceSettings,
  LOG_LEVEL: logLevel.default("info"),
  /** Requests that wait and executions that run may go on for so long after the order to stop; milliseconds. */
  SHUTDOWN_GRACE_MS: wholeNumber(0, 600_000).default(5_000),
  BULKHEAD_WATCH_PARENT: z.enum(["0", "1"]).default("0"),
};

/** The settings that the API and the worker share. */
export const platformSettings = (defaults: { metricsPort: number }) => ({
  ...SHARED,
  METRICS_PORT: port.default(defaults.metricsPort),
});

const Settings = z.object(platformSettings({ metricsPort: 0 }));
export type PlatformConfig = z.infer<typeof Settings>;
