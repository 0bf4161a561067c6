export { toolArchive } from "./tool-archive.ts";
