export { openPlatform, type Platform } from "./open-platform.ts";
export { platformSettings } from "./platform-settings.ts";
