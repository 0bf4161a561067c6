import { platformSettings } from "@bulkhead/platform";
import { apiKey, host, port, readSettings } from "@bulkhead/process/settings";
import { otelEnvironment } from "@bulkhead/process/telemetry";
import { z } from "zod";

const HOST_NAMES_FAULT = "must be host names without a port, separated by commas";

/** Names of hosts as URLs have them; an IPv6 address stands in brackets. */
const hostNames = z
  .string()
  .default("")
  .transform((list) => list.split(",").map((name) => name.trim().toLowerCase()))
  .transform((names) => names.filter((name) => name !== ""))
  .refine((names) => names.every((name) => URL.parse(`http://${name}`)?.hostname === name), HOST_NAMES_FAULT);

const Settings = z.object({
  ...platformSettings({ metricsPort: 9_464 }),
  HOST: host.default("127.0.0.1"),
  PORT: port.default(3_000),
  MCP_HOSTS: hostNames,
  BULKHEAD_ADMIN_KEY: apiKey.optional(),
  BULKHEAD_DEMO_KEY: apiKey.optional(),
});

export type ApiConfig = ReturnType<typeof readConfig>;

/** Throws a SettingsError that names every bad setting. */
export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(Settings, otelEnvironment(env));
