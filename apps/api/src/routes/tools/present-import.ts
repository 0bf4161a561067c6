import type { ImportedTool } from "@bulkhead/tools/packages";

/** What became of each folder of an import, in their order. */
export function presentImport(imported: readonly ImportedTool[]) {
  const created = imported.filter((item) => "tool" in item).length;
  return { tools: imported.map(presentOne), created, refused: imported.length - created };
}

function presentOne(item: ImportedTool) {
  if ("fault" in item) {
    const { code, detail, errors } = item.fault;
    return { folder: item.folder, error: { code, message: detail, errors } };
  }
  const { id, name, version, status, contentHash, permissions } = item.tool;
  const warnings = item.warnings.length > 0 ? { warnings: item.warnings } : {};
  return { folder: item.folder, id, name, version, status, contentHash, permissions, ...warnings };
}
