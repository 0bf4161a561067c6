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
  wholeNumber,
} from "@bulkhead/process/settings";
import { z } from "zod";

const Settings = z.object({
  HOST: host.default("127.0.0.1"),
  PORT: port.default(3_000),
  /** Relative to the folder from which it is started; `npm start` makes that the project's. */
  DATA_DIR: z.string().default(".data"),
  /** A folder of tools that the demo tenant has; relative to the same. */
  TOOLS_DIR: z.string().min(1).optional(),
  DATABASE_URL: databaseUrl.optional(),
  REDIS_URL: checkedUrl(redisUrlFault).optional(),
  BULKHEAD_MASTER_KEY: masterKey.optional(),
  BULKHEAD_MASTER_KEY_OLD: oldMasterKeys,
  BULKHEAD_ADMIN_KEY: apiKey.optional(),
  BULKHEAD_DEMO_KEY: apiKey.optional(),
  /** How long running executions may go on after Ctrl-C; the whole stop takes up to five seconds more. */
  SHUTDOWN_GRACE_MS: wholeNumber(0, 600_000).default(5_000),
  /** The address of the API's metrics; the worker has the next port. 0 lets the system choose both. */
  METRICS_HOST: host.default("127.0.0.1"),
  METRICS_PORT: wholeNumber(0, 65_534).default(9_464),
  LOG_LEVEL: logLevel.default("info"),
});

export type StandaloneConfig = ReturnType<typeof readConfig>;

/** Throws a SettingsError that names every bad setting. */
export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(Settings, env);
