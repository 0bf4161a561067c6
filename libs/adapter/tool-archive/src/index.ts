export { streamArchive } from "./stream-archive.ts";
export { toolArchive } from "./tool-archive.ts";
