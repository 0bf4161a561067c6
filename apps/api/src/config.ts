import { SEARCH_PROVIDERS } from "@bulkhead/core";
import {
  modelName,
  modelUrl,
  PAIRED_SETTINGS,
  pairFaults,
  platformSettings,
} from "@bulkhead/platform/settings";
import { apiKey, host, port, otelEnvironment, readSettings, whereGood } from "@bulkhead/process/settings";
import { z } from "zod";
import { ANY_ORIGIN } from "./edge/other-origins.ts";

const HOST_NAMES_FAULT = "must be host names without a port, separated by commas";

/** Names of hosts as URLs have them; an IPv6 address stands in brackets. */
const hostNames = z
  .string()
  .default("")
  .transform((list) => list.split(",").map((name) => name.trim().toLowerCase()))
  .transform((names) => names.filter((name) => name !== ""))
  .refine((names) => names.every((name) => URL.parse(`http://${name}`)?.hostname === name), HOST_NAMES_FAULT);

const ORIGINS_FAULT =
  "must be origins, as in https://app.example.com, separated by commas, or * alone for the pages of any site";

/** Of pages: scheme, host and port, as browsers send them. */
const pageOrigins = z
  .string()
  .default("")
  .transform((list) => list.split(",").map((origin) => origin.trim()))
  .transform((origins) => origins.filter((origin) => origin !== ""))
  .refine((origins) => origins.join() === ANY_ORIGIN || origins.every(isOrigin), ORIGINS_FAULT);

const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.parse(text)?.origin === text;

const SETTINGS = z.object({
  ...platformSettings({ metricsPort: 9_464 }),
  HOST: host.default("127.0.0.1"),
  PORT: port.default(3_000),
  MCP_HOSTS: hostNames,
  CORS_ORIGINS: pageOrigins,
  /** Of an OpenAI-compatible API, as far as its version. Drafts need it and the name. */
  MODEL_BASE_URL: modelUrl.optional(),
  MODEL_NAME: modelName.optional(),
  /** That tenants have a search engine without naming one; the worker is told the rest. */
  SEARCH_PROVIDER: z.enum(SEARCH_PROVIDERS).optional(),
  BULKHEAD_ADMIN_KEY: apiKey.optional(),
  BULKHEAD_DEMO_KEY: apiKey.optional(),
});

const Settings = SETTINGS.superRefine((settings, context) => {
  for (const issue of pairFaults(settings)) context.addIssue(issue);
}, whereGood(PAIRED_SETTINGS));

export type ApiConfig = ReturnType<typeof readConfig>;

/** Throws a SettingsError that names every bad setting. */
export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(Settings, otelEnvironment(env));
