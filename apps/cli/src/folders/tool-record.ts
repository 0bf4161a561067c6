import type { requestOf } from "@bulkhead/tools/folders";
import type { LoadedTool, ToolRecord } from "./loaded-folder.ts";

/** The request as a client sends it: what is null or undefined in it is left out, and so are empty lists and objects. */
export function recordOf(request: ReturnType<typeof requestOf>): ToolRecord {
  const kept = Object.entries(request).filter(
    ([name, value]) =>
      value !== null && value !== undefined && value !== "" && !(LISTS.has(name) && isEmpty(value)),
  );
  return Object.fromEntries(kept) as ToolRecord;
}

/** What means the same when it is empty as when it is not there. */
const LISTS = new Set(["limits", "requiredApiKeys", "requiredConfigServices", "permissions"]);

const isEmpty = (value: unknown): boolean => Object.keys(value as object).length === 0;

/** The tool as one folder of `POST /api/v1/custom-tools/import`, whose body is `{tools: {name: folder}}`. */
export function importFolderOf({ record }: Pick<LoadedTool, "record">): Record<string, unknown> {
  const { code, language, approvalCode, ...manifest } = record;
  return {
    "manifest.json": manifest,
    ...(code === undefined ? {} : { [language === "typescript" ? "tool.ts" : "tool.js"]: code }),
    ...(approvalCode === undefined ? {} : { "approval.js": approvalCode }),
  };
}
