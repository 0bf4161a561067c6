export { archiveOf, foldersOfArchive } from "./packages/archive-tree.ts";
export { streamArchive } from "./packages/archive/stream-archive.ts";
export { toolArchive } from "./packages/archive/tool-archive.ts";
export { type ExportDeps, exportTools, type HashedTool, listHashes } from "./packages/export-tools.ts";
export type { ImportedTool } from "./packages/import-outcome.ts";
export { importTools } from "./packages/import-tools.ts";
