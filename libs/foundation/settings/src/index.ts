export { logLevel, port, Secret, secret, url, wholeNumber } from "./fields.ts";
export { readSettings, SettingsError } from "./settings.ts";
