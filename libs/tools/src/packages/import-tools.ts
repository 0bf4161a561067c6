import { archivePathFault, Fault, type TenantPrincipal } from "@bulkhead/core";
import { askingOnce } from "../registry/asking-once.ts";
import { createTool, type CreateToolRequest } from "../registry/create-tool.ts";
import { judgedAnew } from "../registry/judged-anew.ts";
import { findNamed, putTool } from "../registry/put-tool.ts";
import { importAll } from "./import-all.ts";
import {
  isTaken,
  nameTaken,
  settle,
  type DoneTool,
  type Existing,
  type ImportDeps,
  type ImportedTool,
} from "./import-outcome.ts";
import { placing, requestOf } from "./prepare-package.ts";
import { readPackage } from "./read-package.ts";

/**
 * Makes a tool of each folder. Where there is one of its name and owner, `existing` decides: `fail` refuses the folder,
 * `skip` leaves the tool alone, `update` changes it as `putTool` does. `all`: every folder or, at any fault, none, which
 * throws `import.refused` with all faults, or `tool.name_taken` where names are all that is wrong; what changed meanwhile is
 * judged anew as a whole. `each`: every one that has no fault. Failures of ours throw in mode `all` and are the folder's
 * answer in mode `each`, save those that nobody expects. Throws `archive.invalid` for a folder's name that no archive may
 * hold, such as `../a`.
 */
export async function importTools(
  deps: ImportDeps,
  principal: TenantPrincipal,
  folders: Readonly<Record<string, unknown>>,
  mode: "all" | "each",
  existing: Existing = "fail",
): Promise<ImportedTool[]> {
  refuseStrangeFolders(folders);
  const asking = { ...deps, ...askingOnce(deps) };
  if (mode === "all") return judgedAnew(() => importAll(asking, principal, folders, existing));
  const imported: ImportedTool[] = [];
  for (const [folder, files] of Object.entries(folders))
    imported.push(await settle(folder, () => importOne(asking, principal, folder, files, existing)));
  return imported;
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

const ANYHOW = { exists: null, tags: null };

async function importOne(
  deps: ImportDeps,
  principal: TenantPrincipal,
  folder: string,
  files: unknown,
  existing: Existing,
): Promise<DoneTool> {
  const read = readPackage(folder, files, deps.parseJson);
  const request = requestOf(folder, read);
  const skipped = () => (existing === "skip" ? skipExisting(deps, principal, request) : null);
  const there = await skipped();
  if (there) return there;
  try {
    return await placing(folder, read, async () =>
      existing === "update"
        ? putTool(deps, principal, request, ANYHOW)
        : { ...(await createTool(deps, principal, request)), outcome: "created" as const },
    );
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
  return tool && { tool, warnings: [], outcome: "skipped" };
}

/** The store tells by a path which of the two is somebody else's. */
const takenField = (error: unknown): "name" | "alias" =>
  error instanceof Fault && error.errors.some(({ path }) => path.endsWith("alias")) ? "alias" : "name";
