import { archivePathFault, Fault, type FaultDetail, type TenantPrincipal } from "@bulkhead/core";
import { askingOnce } from "../registry/asking-once.ts";
import { createTool, type CreateToolRequest } from "../registry/create-tool.ts";
import { judgedAnew } from "../registry/judged-anew.ts";
import { findNamed, putTool, type PutCondition } from "../registry/put-tool.ts";
import { foreseen, importAll, planAll } from "./import-all.ts";
import {
  conditionOf,
  isTaken,
  nameTaken,
  settle,
  type DoneTool,
  type Existing,
  type ImportDeps,
  type ImportedTool,
  type ImportTerms,
} from "./import-outcome.ts";
import { ERRORS_MAX } from "./package-fault.ts";
import { placing, requestOf } from "./prepare-package.ts";
import { readPackage } from "./read-package.ts";

/**
 * Makes a tool of each folder, and deletes what `terms` says. Where there is one of its name and owner, `existing` decides:
 * `fail` refuses the folder, `skip` leaves the tool alone, `update` changes it as `putTool` does. `all`: every folder or, at any
 * fault, none, which throws `import.refused` with all faults, or `tool.name_taken` or `tool.precondition_failed` where that is
 * all that is wrong; what changed meanwhile is judged anew as a whole. `each`: every one that has no fault. Failures of ours
 * throw in mode `all` and are the folder's answer in mode `each`, save those that nobody expects. Throws `archive.invalid` for a
 * folder's name that no archive may hold, such as `../a`.
 */
export async function importTools(
  deps: ImportDeps,
  principal: TenantPrincipal,
  folders: Readonly<Record<string, unknown>>,
  mode: "all" | "each",
  existing: Existing = "fail",
  terms: ImportTerms = {},
): Promise<ImportedTool[]> {
  refuseStrangeFolders(folders);
  refuseIdleTerms(folders, mode, existing, terms);
  const asking = { ...deps, ...askingOnce(deps) };
  if (mode === "all") return judgedAnew(() => importAll(asking, principal, folders, existing, terms));
  if (terms.dryRun)
    return (await planAll(asking, principal, folders, existing, terms)).map((item) =>
      "plan" in item ? { folder: item.folder, ...foreseen(item.plan) } : item,
    );
  const imported: ImportedTool[] = [];
  for (const [folder, files] of Object.entries(folders)) {
    const condition = conditionOf(terms.ifMatch ?? {}, folder);
    const work = () => importOne(asking, principal, folder, files, existing, condition);
    imported.push(await settle(folder, work));
  }
  return imported;
}

/** Throws `request.invalid` for what would have no effect. */
function refuseIdleTerms(
  folders: Readonly<Record<string, unknown>>,
  mode: "all" | "each",
  existing: Existing,
  { ifMatch = {}, remove = {}, source }: ImportTerms,
): void {
  const errors: FaultDetail[] = [];
  for (const folder of Object.keys(ifMatch)) {
    const path = `ifMatch.${folder}`;
    if (!Object.hasOwn(folders, folder))
      errors.push({ path, message: "is for a folder that is not in tools" });
    else if (existing !== "update") errors.push({ path, message: "needs existing=update" });
  }
  if (mode === "each" && Object.keys(remove).length > 0)
    errors.push({ path: "remove", message: "needs mode=all" });
  if (mode === "each" && source !== undefined) errors.push({ path: "source", message: "needs mode=all" });
  const [first] = errors;
  if (first)
    throw new Fault("request.invalid", {
      detail: `The import is not valid: ${first.path} ${first.message}.`,
      errors: errors.slice(0, ERRORS_MAX),
    });
}

/** As an archive with such paths is refused: whole, in both modes, since who sends it means no tool. */
function refuseStrangeFolders(folders: Readonly<Record<string, unknown>>): void {
  for (const folder of Object.keys(folders)) {
    // That a name is missing is told with the other faults of its folder.
    const message = folder === "" ? null : archivePathFault(folder);
    if (message !== null)
      throw new Fault("archive.invalid", {
        detail: `The import ${message}.`,
        errors: [{ path: "", message }],
      });
  }
}

async function importOne(
  deps: ImportDeps,
  principal: TenantPrincipal,
  folder: string,
  files: unknown,
  existing: Existing,
  condition: PutCondition,
): Promise<DoneTool> {
  const read = readPackage(folder, files, deps.parseJson);
  const request = requestOf(folder, read);
  const skipped = () => (existing === "skip" ? skipExisting(deps, principal, request) : null);
  const there = await skipped();
  if (there) return there;
  try {
    const done = await placing(folder, read, async () =>
      existing === "update"
        ? putTool(deps, principal, request, condition)
        : { ...(await createTool(deps, principal, request)), outcome: "created" as const },
    );
    return { name: request.name, ...done };
  } catch (error) {
    if (!isTaken(error)) throw error;
    const come = await skipped();
    if (come) return come;
    throw nameTaken(folder, request, takenField(error));
  }
}

async function skipExisting(
  deps: ImportDeps,
  principal: TenantPrincipal,
  request: CreateToolRequest,
): Promise<DoneTool | null> {
  const tool = await findNamed(deps, principal, request);
  return tool && { name: tool.name, tool, warnings: [], outcome: "skipped" };
}

/** The store tells by a path which of the two is somebody else's. */
const takenField = (error: unknown): "name" | "alias" =>
  error instanceof Fault && error.errors.some(({ path }) => path.endsWith("alias")) ? "alias" : "name";
