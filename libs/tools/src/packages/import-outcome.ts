import { Fault, type FaultDetail, type Tool } from "@bulkhead/core";
import { setImmediate } from "node:timers/promises";
import type { ToolDeps } from "../registry/tool-deps.ts";
import { ERRORS_MAX, packageFault, placeOf } from "./package-fault.ts";
import type { ParseJson } from "./tool-folder.ts";

export interface ImportDeps extends ToolDeps {
  parseJson: ParseJson;
}

/** What becomes of a folder whose tool is there already. */
export type Existing = "update" | "skip" | "fail";

/** The tool of a folder, and what was done to it. */
export interface DoneTool {
  tool: Tool;
  warnings: string[];
  outcome: "created" | "updated" | "unchanged" | "skipped";
}

/** What came of one folder, or what it is at fault with. */
type Settled<T> = { folder: string } & (T | { fault: Fault });
export type ImportedTool = Settled<DoneTool>;

/** The work for one folder; a failure that nobody expects is thrown on. */
export async function settle<T extends object>(folder: string, work: () => Promise<T>): Promise<Settled<T>> {
  // A large code is parsed without a pause; others get their turn between two of them.
  await setImmediate();
  try {
    return { folder, ...(await work()) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { folder, fault: error };
  }
}

export const isTaken = (error: unknown): boolean =>
  error instanceof Fault && error.code === "tool.name_taken";

/** The fault of a folder whose name or alias is another tool's. */
export const nameTaken = (folder: string, tool: Pick<Tool, "name" | "alias">, field: "name" | "alias") =>
  packageFault(
    [{ path: placeOf(folder, "manifest.json", field), message: `another tool is called ${tool[field]}` }],
    "tool.name_taken",
  );

/** Throws one fault for all that are at fault, if any are. */
export function refuseAnyFault(items: readonly object[]): void {
  const faults = items.flatMap((item) =>
    "fault" in item && item.fault instanceof Fault ? [item.fault] : [],
  );
  if (faults.length === 0) return;
  const errors: FaultDetail[] = faults.flatMap((fault) => fault.errors);
  const code = faults.every(isTaken) ? "tool.name_taken" : "import.refused";
  const [first] = errors;
  throw new Fault(code, {
    detail: `No tool was created or changed: ${faults.length} of the import can't be. ${first?.path} ${first?.message}.`,
    errors: errors.slice(0, ERRORS_MAX),
  });
}
