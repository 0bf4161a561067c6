import { platformSettings } from "@bulkhead/platform";
import { apiKey, host, port, readSettings } from "@bulkhead/process/settings";
import { otelEnvironment } from "@bulkhead/process/telemetry";
import { z } from "zod";

const Settings = z.object({
  ...platformSettings({ metricsPort: 9_464 }),
  HOST: host.default("127.0.0.1"),
  PORT: port.default(3_000),
  BULKHEAD_ADMIN_KEY: apiKey.optional(),
  BULKHEAD_DEMO_KEY: apiKey.optional(),
});

export type ApiConfig = ReturnType<typeof readConfig>;

/** Throws a SettingsError that names every bad setting. */
export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(Settings, otelEnvironment(env));
