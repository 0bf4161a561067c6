export {
  Secret,
  apiKey,
  checkedUrl,
  databaseUrl,
  host,
  isMasterKey,
  masterKey,
  oldMasterKeys,
  port,
  ruleList,
  url,
  wholeNumber,
} from "./settings/fields.ts";
export { listenRefusal } from "./settings/listen-refusal.ts";
export { levelOf, logLevel } from "./settings/log-level.ts";
export { SettingsError, readSettings, whereGood } from "./settings/settings.ts";
export { otelEnvironment, otelMetricSettings, otelSettings } from "./telemetry/otel-settings.ts";
export { otelTraceSettings } from "./telemetry/tracing-settings.ts";
