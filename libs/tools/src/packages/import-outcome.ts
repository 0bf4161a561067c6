import { Fault, type FaultCode, type FaultDetail, type Tool } from "@bulkhead/core";
import { setImmediate } from "node:timers/promises";
import type { PutCondition } from "../registry/put-tool.ts";
import type { ToolDeps } from "../registry/tool-deps.ts";
import { ERRORS_MAX, packageFault, placeOf } from "./package-fault.ts";
import type { ParseJson } from "./tool-folder.ts";

export interface ImportDeps extends ToolDeps {
  parseJson: ParseJson;
}

/** What becomes of a folder whose tool is there already. */
export type Existing = "update" | "skip" | "fail";

export interface ImportTerms {
  /** What has to be there for a folder: an ETag, or a hash of the record or of what runs; null: no tool of its name. */
  ifMatch?: Readonly<Record<string, string | null>>;
  /** Tools to delete in the same step, by id, each with what it has to be, likewise; only where all are stored at once. */
  remove?: Readonly<Record<string, string>>;
  /** Where the folders are kept: their tools say so until anybody else changes them; only where all are stored at once. */
  source?: string;
  /** Nothing is stored; each folder gets the answer that it would have. */
  dryRun?: boolean;
}

/** The tool of a folder, and what was done to it. Deleted ones come behind the folders', with their names. */
export interface DoneTool {
  name: string;
  /** As it is now, or was when it was deleted; null: it was not made, since nothing is stored. */
  tool: Tool | null;
  warnings: string[];
  outcome: "created" | "updated" | "unchanged" | "skipped" | "deleted";
  /** The fields that an update changes. */
  changed?: string[];
  /** Schedules that a deletion paused. */
  schedulesPaused?: number;
}

/** What came of one folder, or what it is at fault with. */
type Settled<T> = { folder: string } & (T | { fault: Fault });
export type ImportedTool = Settled<DoneTool>;

/** What has to be there for a folder. */
export function conditionOf(ifMatch: NonNullable<ImportTerms["ifMatch"]>, folder: string): PutCondition {
  const said = Object.hasOwn(ifMatch, folder) ? ifMatch[folder] : undefined;
  if (said === undefined) return { exists: null, tags: null };
  return said === null ? { exists: false, tags: null } : { exists: true, tags: [said] };
}

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

/** What is told by its own code where nothing else is wrong. */
const ALIKE: ReadonlySet<FaultCode> = new Set(["tool.name_taken", "tool.precondition_failed"]);

/** Throws one fault for all that are at fault, if any are. */
export function refuseAnyFault(items: readonly object[]): void {
  const faults = items.flatMap((item) =>
    "fault" in item && item.fault instanceof Fault ? [item.fault] : [],
  );
  if (faults.length === 0) return;
  const errors: FaultDetail[] = faults.flatMap((fault) => fault.errors);
  const [{ code: one } = { code: undefined }] = faults;
  const isAlike = faults.every(({ code }) => code === one);
  const code = isAlike && one !== undefined && ALIKE.has(one) ? one : "import.refused";
  const [first] = errors;
  throw new Fault(code, {
    detail: `No tool was created or changed: ${faults.length} of the import can't be. ${first?.path} ${first?.message}.`,
    errors: errors.slice(0, ERRORS_MAX),
  });
}
