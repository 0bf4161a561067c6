import { otelMetricSettings, otelSettings, otelTraceSettings } from "@bulkhead/process/settings";
import { read } from "./files.ts";

const NAME = /^ {2}([A-Z][A-Z0-9_]+):/gm;

/** The settings that an app reads: its own, and those that it shares. */
export function settingsOf(app: string): Set<string> {
  const own = [
    `apps/${app}/src/config.ts`,
    ...(app === "worker" ? ["apps/worker/src/search-settings.ts", "apps/worker/src/media-settings.ts"] : []),
  ];
  const texts = [...own, "libs/platform/src/platform-settings.ts"].map(read);
  return new Set([...texts.join("").matchAll(NAME)].map(([, name]) => name as string));
}

/** Settings under OpenTelemetry's own names: spread into an app's config.ts, but for the name, which its SDK reads itself. */
export const isOpenTelemetrys = (name: string): boolean =>
  name === "OTEL_SERVICE_NAME" ||
  Object.hasOwn({ ...otelSettings, ...otelMetricSettings, ...otelTraceSettings }, name);

/** What a test fills in where an operator gives a secret. */
export const SECRETS: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: "p0stgres",
  REDIS_PASSWORD: "r3dis",
  GRAFANA_PASSWORD: "gr4fana",
  BULKHEAD_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  BULKHEAD_ADMIN_KEY: "an administrator's key of a test",
};
