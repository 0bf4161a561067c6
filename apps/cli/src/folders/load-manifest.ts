import { join, posix } from "node:path";
import { performance } from "node:perf_hooks";
import { checkApproval, checkToolCode } from "./check-tool-code.ts";
import type { FoundFault } from "./fault-list.ts";
import { folderName } from "./find-units.ts";
import { keptOrMade, type Loaded } from "./kept-tools.ts";
import type { LoadedTool, ToolRecord } from "./loaded-folder.ts";
import { loadModule } from "./load-module.ts";
import { allOf } from "./depends-on.ts";
import type { ModuleDeps } from "./module-source.ts";
import { filesOf, type ManifestTool, readManifestFolder } from "./read-manifest-folder.ts";
import { sourceOf } from "./source-of.ts";
import { placeFinder } from "./tool-code.ts";

/** The tool of a folder with a manifest, of which a module is bundled first. */
export async function loadManifest(deps: ModuleDeps, folder: string): Promise<Loaded> {
  let bundled: ManifestTool | null = null;
  const asked = { id: ["manifest", folder], given: [], resolveDir: join(deps.root, folder) };
  const loaded = await keptOrMade(deps, asked, async (tell) => {
    const started = performance.now();
    const on = await filesOf(join(deps.root, folder));
    const found = await readManifestFolder(deps.root, folder, folderName(deps.root, folder), tell);
    const made = { files: found === null ? [] : [join(deps.root, found.file)], dependsOn: () => on };
    if (found === null) return { ...made, tools: null };
    const { record, file, module } = found;
    const from = { file, export: null };
    const placeOf = placeFinder(null, { root: deps.root, resolveDir: asked.resolveDir }, file);
    const wrong = checkBeside(folder, record);
    const { code } = record;
    if (module === null && code !== undefined)
      wrong.push(...(await checkToolCode(deps.stripper, { ...record, code }, from, placeOf, code)));
    for (const fault of wrong) tell(fault);
    if (module !== null && wrong.length === 0) bundled = found;
    if (module !== null || wrong.length > 0) return { ...made, tools: null };
    const tool = {
      record,
      from,
      packages: [],
      durationMs: performance.now() - started,
      placeOf,
      places: null,
    };
    return { ...made, tools: [tool] };
  });
  if (bundled === null) return loaded;
  const { record, file } = bundled as ManifestTool;
  const module = await loadModule(deps, { ...(await sourceOf(deps, file, { from: "main" })), record });
  return { ...module, dependsOn: allOf([loaded.dependsOn, module.dependsOn]) };
}

/** The faults of `approval.js`, which is no module whatever the tool's code is. */
function checkBeside(folder: string, { approvalCode }: ToolRecord): FoundFault[] {
  if (approvalCode === undefined) return [];
  const file = posix.join(folder, "approval.js");
  const placeOf: LoadedTool["placeOf"] = (line, column) => ({ file, line, column });
  return checkApproval(approvalCode, { file, export: null }, placeOf, approvalCode);
}
