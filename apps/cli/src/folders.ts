export { loadFile } from "./folders/load-file.ts";
export { loadFolder, UnreadableFolder } from "./folders/load-folder.ts";
export type {
  CodeFrame,
  Durations,
  FolderFault,
  FolderFaultCode,
  LoadedFolder,
  LoadedTool,
  Place,
  ToolRecord,
} from "./folders/loaded-folder.ts";
export type { LoadOptions } from "./folders/loader.ts";
export { harmlessLine } from "@bulkhead/core/harmless";
export { userCacheFolder } from "./folders/module-cache.ts";
export { importFolderOf } from "./folders/tool-record.ts";
export { inParts } from "./sync/import-parts.ts";
export { watchFolder, type WatchOptions } from "./folders/watch-folder.ts";
