export { archiveOf, foldersOfArchive } from "./archive-tree.ts";
export { exportTools, type ExportDeps } from "./export-tools.ts";
export { importTools, type ImportDeps, type ImportedTool } from "./import-tools.ts";
