export { openPlatform, type Platform } from "./open-platform.ts";
