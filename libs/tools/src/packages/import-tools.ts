import { archivePathFault, type TenantPrincipal, type Tool, Fault, type FaultDetail } from "@bulkhead/core";
import { askingOnce } from "../registry/asking-once.ts";
import { createTools, type PreparedTool } from "../registry/create-tool.ts";
import { serviceWarnings } from "../registry/keep-services.ts";
import { isNameTaken } from "../registry/read-tools.ts";
import { judgedAnew } from "../registry/judged-anew.ts";
import type { ToolDeps } from "../registry/tool-deps.ts";
import { setImmediate } from "node:timers/promises";
import { ERRORS_MAX, packageFault, placeOf } from "./package-fault.ts";
import { preparePackage } from "./prepare-package.ts";
import { readPackage } from "./read-package.ts";
import type { ParseJson } from "./tool-folder.ts";

export interface ImportDeps extends ToolDeps {
  parseJson: ParseJson;
}

/** The outcome of one folder. */
export type ImportedTool = { folder: string } & ({ tool: Tool; warnings: string[] } | { fault: Fault });

type Prepared = { folder: string } & ({ prepared: PreparedTool } | { fault: Fault });

/**
 * Creates a tool of each folder. `all`: of every one or, at any fault, of none, which throws `import.refused` with all
 * faults, or `tool.name_taken` where names are all that is wrong. `each`: of every one that has no fault. What was judged by a
 * name's record that changed meanwhile is judged anew, `all` as a whole. Failures of ours throw in mode `all` and are the folder's answer in mode `each`, save those that nobody expects. Throws
 * `archive.invalid` for a folder's name that no archive may hold, such as `../a`.
 */
export async function importTools(
  deps: ImportDeps,
  principal: TenantPrincipal,
  folders: Readonly<Record<string, unknown>>,
  mode: "all" | "each",
): Promise<ImportedTool[]> {
  refuseStrangeFolders(folders);
  const asking = { ...deps, ...askingOnce(deps) };
  return mode === "all"
    ? judgedAnew(() => importAll(asking, principal, folders))
    : importEach(asking, principal, folders);
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

async function importEach(
  deps: ImportDeps,
  principal: TenantPrincipal,
  folders: Readonly<Record<string, unknown>>,
): Promise<ImportedTool[]> {
  const imported: ImportedTool[] = [];
  for (const [folder, files] of Object.entries(folders)) {
    imported.push(
      await settle(folder, async () => {
        const { prepared, tool } = await judgedAnew(() => prepareAndCreate(deps, principal, folder, files));
        return withWarnings(deps, prepared, tool);
      }),
    );
  }
  return imported;
}

async function prepareAndCreate(
  deps: ImportDeps,
  principal: TenantPrincipal,
  folder: string,
  files: unknown,
) {
  const prepared = await prepare(deps, principal, folder, files);
  const [tool] = await createTools(deps, principal, [prepared]).catch((error: unknown) => {
    throw isTaken(error) ? nameTaken(folder, prepared.tool.name) : error;
  });
  return { prepared, tool: tool as Tool };
}

async function withWarnings(
  deps: ImportDeps,
  { warnings }: PreparedTool,
  tool: Tool,
): Promise<{ tool: Tool; warnings: string[] }> {
  const [unconfigured = []] = await serviceWarnings(deps, tool.tenantId, [tool]);
  return { tool, warnings: [...warnings, ...unconfigured] };
}

async function importAll(
  deps: ImportDeps,
  principal: TenantPrincipal,
  folders: Readonly<Record<string, unknown>>,
): Promise<ImportedTool[]> {
  const items: Prepared[] = [];
  const taken = new Set<string>();
  for (const [folder, files] of Object.entries(folders)) {
    const item = await settle(folder, async () => {
      const prepared = await prepare(deps, principal, folder, files);
      const { agentId, name } = prepared.tool;
      const key = JSON.stringify([agentId, name]);
      if (taken.has(key) || (await isNameTaken(deps, prepared.tool))) throw nameTaken(folder, name);
      taken.add(key);
      return { prepared };
    });
    if ("fault" in item && item.fault.status >= 500) throw item.fault;
    items.push(item);
  }
  refuseAnyFault(items);
  const prepared = items.flatMap((item) =>
    "prepared" in item ? [{ folder: item.folder, ...item.prepared }] : [],
  );
  const tools = await createTools(deps, principal, prepared).catch(async (error: unknown) => {
    // Somebody took a name between the look and the creation; which one shows by looking again.
    if (isTaken(error)) refuseAnyFault(await lookAgain(deps, prepared));
    throw error;
  });
  const unconfigured = await serviceWarnings(deps, principal.tenantId, tools);
  return prepared.map(({ folder, warnings }, n) => ({
    folder,
    tool: tools[n] as Tool,
    warnings: [...warnings, ...(unconfigured[n] ?? [])],
  }));
}

const prepare = async (deps: ImportDeps, principal: TenantPrincipal, folder: string, files: unknown) =>
  preparePackage(deps, principal, folder, readPackage(folder, files, deps.parseJson));

async function settle<T extends object>(
  folder: string,
  work: () => Promise<T>,
): Promise<{ folder: string } & (T | { fault: Fault })> {
  // A large code is parsed without a pause; others get their turn between two of them.
  await setImmediate();
  try {
    return { folder, ...(await work()) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { folder, fault: error };
  }
}

async function lookAgain(
  deps: Pick<ImportDeps, "tools">,
  prepared: readonly (PreparedTool & { folder: string })[],
): Promise<{ fault?: Fault }[]> {
  const found: { fault?: Fault }[] = [];
  for (const { folder, tool } of prepared) {
    if (await isNameTaken(deps, tool)) found.push({ fault: nameTaken(folder, tool.name) });
  }
  return found;
}

function refuseAnyFault(items: readonly object[]): void {
  const faults = items.flatMap((item) =>
    "fault" in item && item.fault instanceof Fault ? [item.fault] : [],
  );
  if (faults.length === 0) return;
  const errors: FaultDetail[] = faults.flatMap((fault) => fault.errors);
  const code = faults.every(isTaken) ? "tool.name_taken" : "import.refused";
  const [first] = errors;
  throw new Fault(code, {
    detail: `No tool was created: ${faults.length} of the import can't be. ${first?.path} ${first?.message}.`,
    errors: errors.slice(0, ERRORS_MAX),
  });
}

const isTaken = (error: unknown): boolean => error instanceof Fault && error.code === "tool.name_taken";

const nameTaken = (folder: string, name: string): Fault =>
  packageFault(
    [{ path: placeOf(folder, "manifest.json", "name"), message: `another tool is called ${name}` }],
    "tool.name_taken",
  );
