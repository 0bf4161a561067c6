export {
  apiKey,
  checkedUrl,
  databaseUrl,
  host,
  isMasterKey,
  masterKey,
  oldMasterKeys,
  port,
  ruleList,
  Secret,
  url,
  wholeNumber,
} from "./fields.ts";
export { listenRefusal } from "./listen-refusal.ts";
export { levelOf, logLevel, type LogArea } from "./log-level.ts";
export { readSettings, SettingsError } from "./settings.ts";
